import { expect, test } from 'vitest';
import { sessionPlace } from '../../src/cli/session-place.js';
import { CreateSessionRequestSchema } from '../../src/protocol/index.js';

const here = process.cwd();

test.each([
  [{}, { cwd: here }],
  [{ cwd: 'sub' }, { cwd: `${here}/sub` }],
  [{ worktree: 'fix' }, { worktree: { base_repo: here, branch: 'fix' } }],
  [
    { worktree: 'fix', base: 'v1', repo: '/r', skipSetup: true },
    { worktree: { base_repo: '/r', branch: 'fix', base: 'v1', setup: 'skip' } },
  ],
  [{ worktree: 'fix', existing: true, repo: '~/r', trust: true }, { worktree: { base_repo: '~/r', branch: 'fix', create_branch: false } }],
] as const)('%j runs in %j', (options, place) => {
  const found = sessionPlace(options, here);
  expect(found).toEqual(place);
  expect(CreateSessionRequestSchema.safeParse({ ...found, command: 'cat' }).success).toBe(true);
});

test.each([
  [{ base: 'main' }, '--base is for'],
  [{ repo: '/r' }, '--repo is for'],
  [{ existing: true }, '--existing is for'],
  [{ skipSetup: true }, '--skip-setup is for'],
  [{ trust: true }, '--trust is for'],
  [{ worktree: 'fix', cwd: '/x' }, 'leave --cwd out'],
  [{ worktree: 'fix', base: 'main', existing: true }, '--base or --existing'],
  [{ worktree: 'fix', trust: true, skipSetup: true }, '--skip-setup or --trust'],
])('%j is wrong usage', (options, told) => {
  expect(() => sessionPlace(options, here)).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringContaining(told) }));
});
