import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frontOf, openCodexConversation, openCodexConversations } from '../../../../src/daemon/agents/sources/codex-conversation.js';
import { openFiles, pathsIn } from '../../../../src/daemon/agents/sources/open-files.js';

const [A, B, C] = [
  '01a22e3b-c576-71e2-bae9-f9dbbecee369',
  '01a22e3c-822f-75f1-9847-3b5f9f81933f',
  '01a22e3d-be6c-7293-8354-953990fc749a',
] as const;

let home: string;
let children: ChildProcess[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'm-'));
  children = [];
  mkdirSync(join(home, 'thread-writer-locks'));
  mkdirSync(join(home, 'sessions'));
});
afterEach(async () => {
  for (const child of children) {
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  }
  rmSync(home, { recursive: true });
});

function lock(id: string): string {
  const path = join(home, 'thread-writer-locks', `${id}.lock`);
  writeFileSync(path, '');
  return path;
}

/** As Codex 0.171 begins it. */
function rollout(id: string, seconds: number, kind = '"source":"cli","thread_source":"user"'): string {
  const path = join(home, 'sessions', `rollout-2026-11-30T20-54-07-${id}.jsonl`);
  const meta = `{"session_id":"${id}","cwd":"/home/dev/project",${kind},"base_instructions":{"text":"\\"source\\": {${'x'.repeat(9000)}"}}`;
  writeFileSync(path, `{"ordinal":0,"type":"session_meta","payload":${meta}}\n{"ordinal":1}\n`);
  utimesSync(path, seconds, seconds);
  return path;
}

async function codexWith(...paths: string[]): Promise<number> {
  const script = "for (const path of process.argv.slice(1)) fs.openSync(path, 'r'); console.log('open'); setInterval(() => {}, 1e6);";
  const child = spawn(process.execPath, ['-e', script, ...paths], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

describe.runIf(process.platform === 'linux')('the conversation that Codex has in front', () => {
  test('is the only one, also before its first prompt', async () => {
    const pid = await codexWith(lock(A));
    expect(await openCodexConversation([pid])).toBe(A);
    expect(await openCodexConversations([pid])).toEqual([{ id: A, writtenAt: undefined }]);
  });

  test('is the one that was written last, while the former one is still open', async () => {
    expect(await openCodexConversation([await codexWith(lock(A), rollout(A, 100), lock(B), rollout(B, 200))])).toBe(B);
    expect(await openCodexConversation([await codexWith(lock(A), rollout(A, 300), lock(B), rollout(B, 200))])).toBe(A);
  });

  test('is the former one until the new one has had a prompt', async () => {
    expect(await openCodexConversation([await codexWith(lock(A), rollout(A, 100), lock(C), lock(B))])).toBe(A);
  });

  test('is not known when several are open that never had a prompt', async () => {
    expect(await openCodexConversation([await codexWith(lock(A), lock(B))])).toBeUndefined();
  });

  test('is none of a sub-agent', async () => {
    const subAgent = rollout(B, 300, '"source":{"subagent":{"thread_spawn":{}}},"thread_source":"subagent"');
    expect(await openCodexConversation([await codexWith(lock(A), rollout(A, 100), lock(B), subAgent)])).toBe(A);
  });

  test('is that of the first process that has any, and not of one that it started', async () => {
    const idle = await codexWith();
    const outer = await codexWith(lock(A), rollout(A, 100));
    const inner = await codexWith(lock(B), rollout(B, 200));
    expect(await openCodexConversation([idle, outer, inner])).toBe(A);
  });

  test('is none where nothing is open, nothing runs, or the lock is gone', async () => {
    expect(await openCodexConversation([])).toBeUndefined();
    expect(await openCodexConversation([2 ** 22 + 1, await codexWith(rollout(A, 100))])).toBeUndefined();
    const pid = await codexWith(lock(A));
    unlinkSync(join(home, 'thread-writer-locks', `${A}.lock`));
    expect(await openCodexConversation([pid])).toBeUndefined();
  });
});

test('of conversations without any prompt none is in front', () => {
  expect(frontOf([])).toBeUndefined();
  expect(frontOf([{ id: A, writtenAt: undefined }])?.id).toBe(A);
});

test('lsof’s fields are read by process, and only what is a path', () => {
  const fields = `p70\nfcwd\nn/home/dev\nf3\nn/c/thread-writer-locks/${A}.lock\nf4\nn127.0.0.1:80->127.0.0.1:9\np71\np72\nf1\nn/dev/null\n`;
  expect(pathsIn(fields)).toEqual(
    new Map([
      [70, ['/home/dev', `/c/thread-writer-locks/${A}.lock`]],
      [71, []],
      [72, ['/dev/null']],
    ]),
  );
});

test('the open files of processes come in the order that was asked for', async () => {
  const pid = await codexWith(lock(A));
  const [none, own] = await openFiles([2 ** 22 + 1, pid]);
  expect(none).toEqual([]);
  expect(own).toContain(join(home, 'thread-writer-locks', `${A}.lock`));
});
