#!/usr/bin/env node
// Plain enough for any Node to read, so that an old one can say that it is too old.
const DIST = `${__dirname}/../dist`;

function run() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) return tell(`needs Node 20.19 or newer, and this is ${process.versions.node}`);
  try {
    require(`${DIST}/launch/run-bundle.cjs`).runBundle(`${DIST}/cli`);
  } catch (error) {
    if (!isUnbuilt(error)) throw error;
    tell('is not built yet; in its directory run: npm install && npm run build');
  }
}

function isUnbuilt({ code, requireStack = [], path = '' }) {
  return code === 'MODULE_NOT_FOUND' ? requireStack[0] === __filename : code === 'ENOENT' && path.endsWith('/dist/cli/bundle.cjs');
}

function tell(problem) {
  console.error(`maestro: ${problem}`);
  process.exitCode = 1;
}

run();
