// `npm start`: brings a fresh clone to a running daemon, and stays in front of it until it ends.
import { delimiter } from 'node:path';
import { install } from './install.mjs';
import { run } from './step.mjs';

/** What takes out of the environment what npm put in, so that no session finds this package's tools on its PATH. */
function withoutNpm(env) {
  const added = Object.keys(env).filter((name) => /^(npm_|INIT_CWD$|NODE$)/.test(name));
  const path = (env.PATH ?? '').split(delimiter);
  const own = path.findIndex((directory) => !/\/(node_modules\/\.bin|node-gyp-bin)$/.test(directory));
  return { ...Object.fromEntries(added.map((name) => [name, undefined])), PATH: path.slice(Math.max(own, 0)).join(delimiter) };
}

await install();
await import('./build.mjs');
console.log('> Starting the daemon; Ctrl-C stops it, sessions go on');
// Ctrl-C arrives from the terminal, and from npm once more: `maestro up` counts only the first.
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const args = ['bin/maestro.js', 'up', ...process.argv.slice(2)];
process.exit(await run(process.execPath, args, { env: withoutNpm(process.env), forwarded }));
