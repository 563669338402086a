/** What is built into one file from many: from which sources, which module begins, where the file goes. Paths are from the root. */
export const BUNDLES = {
  page: { to: 'dist/web/index.html', sources: ['src/web', 'src/client', 'src/protocol', 'vite.config.ts', 'scripts/icon-png.ts'] },
  daemon: {
    to: 'dist/daemon/bundle.cjs',
    sources: ['src/daemon', 'src/protocol', 'src/launch'],
    from: 'dist/daemon/main.js',
    isKept: true,
  },
  command: {
    to: 'dist/cli/bundle.cjs',
    sources: ['src/cli', 'src/client', 'src/protocol', 'src/launch'],
    from: 'dist/cli/main.js',
    isKept: true,
  },
  // It runs at every hook of an agent, which waits for it: what was compiled before would be read no quicker than so little is compiled.
  reporter: { to: 'dist/cli/hook.cjs', sources: ['src/cli/hook'], from: 'src/cli/hook/main.ts' },
};
