import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const cache = process.env.MAESTRO_AGENTS_CACHE;
if (cache === undefined || process.env.MAESTRO_AGENTS_PATH === undefined) throw new Error('run this suite by `npm run test:agents`');

/** Homes and state directories of the tests. Not in the system's one: Gemini CLI reads no settings where others may write. */
const runs = join(cache, 'run');
mkdirSync(runs, { recursive: true, mode: 0o700 });

// biome-ignore lint/style/noDefaultExport: vitest reads its config from a default export.
export default defineConfig({
  test: {
    include: ['test/agents/*.suite.ts'],
    pool: 'forks',
    // One agent at a time: each wants a core for itself while it starts.
    maxWorkers: 1,
    fileParallelism: false,
    // The tests of a file share one daemon, and most of them one session.
    sequence: { concurrent: false },
    env: { TMPDIR: runs },
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
  },
});
