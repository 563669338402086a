#!/usr/bin/env node
// Plain enough for any Node to read, so that an old one can say that it is too old.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`maestro: needs Node 20.19 or newer, and this is ${process.versions.node}`);
  process.exitCode = 1;
} else {
  const main = new URL('../dist/cli/bundle.js', import.meta.url);
  import(main.href).catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || error.url !== main.href) throw error;
    console.error('maestro: is not built yet; in its directory run: npm install && npm run build');
    process.exitCode = 1;
  });
}
