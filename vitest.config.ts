import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its config from a default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // More than cores: tests wait for tmux, timers and browsers most of the time.
    maxWorkers: 7,
    // On a crowded machine one of three thousand tests of real processes may be late. It is told as retried, and is to be mended: `npm run
    // flake` takes no second try.
    retry: 1,
    reporters: ['default', './scripts/retried-tests.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
