/** What is built into one file from many: from which sources, which module begins, where the file goes. Paths are from the root. */
export const BUNDLES = {
  page: { to: 'dist/web/index.html', sources: ['src/web', 'src/client', 'src/protocol', 'vite.config.ts', 'scripts/icon-png.ts'] },
  daemon: { to: 'dist/daemon/bundle.js', sources: ['src/daemon', 'src/protocol'], from: 'dist/daemon/main.js', format: 'es' },
  command: { to: 'dist/cli/bundle.js', sources: ['src/cli', 'src/client', 'src/protocol'], from: 'dist/cli/main.js', format: 'es' },
  // It runs at every hook of an agent, which waits for it. Node takes a fifth of its start longer to load any module of the other kind.
  reporter: { to: 'dist/cli/hook.cjs', sources: ['src/cli/hook'], from: 'src/cli/hook/main.ts', format: 'cjs' },
};
