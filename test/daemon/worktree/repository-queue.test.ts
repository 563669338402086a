import { expect, test } from 'vitest';
import { RepositoryQueue } from '../../../src/daemon/worktree/repository-queue.js';

test('work on one repository is done one after the other, also after a failure; others do not wait', async () => {
  const queue = new RepositoryQueue();
  const told: string[] = [];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = queue.run('/a', async () => {
    await gate;
    told.push('first');
    throw new Error('first');
  });
  const second = queue.run('/a', async () => {
    told.push('second');
    return 2;
  });
  await queue.run('/b', async () => told.push('other'));
  open();
  await expect(first).rejects.toThrow('first');
  expect(await second).toBe(2);
  expect(told).toEqual(['other', 'first', 'second']);
});
