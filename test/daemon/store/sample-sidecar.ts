import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Sidecar } from '../../../src/daemon/store/sidecar.js';
import type { StateDir } from '../../../src/daemon/store/state-dir.js';

export function sampleSidecar(change: Partial<Sidecar> = {}): Sidecar {
  return {
    version: 1,
    id: randomUUID(),
    status: 'running',
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:06.000Z',
    cwd: '/home/ada/project',
    command: 'claude --continue',
    env: { LANG: 'C.UTF-8' },
    metadata: { name: 'the parser' },
    size: { cols: 120, rows: 40 },
    run: 3,
    epoch: 7,
    ...change,
  };
}

/** Puts a sidecar file in place past the store: bytes, text, or anything as JSON. Returns its id. */
export async function putSidecar(dir: StateDir, content: unknown, id: string = randomUUID()): Promise<string> {
  await writeFile(dir.sidecar(id), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content), {
    mode: 0o600,
  });
  return id;
}
