// `npm run test:agents`: Maestro with the real agents, against a model server of its own. Installs the versions of
// test/agents/versions.json from npm, once, into a directory outside the repository; nothing else is downloaded, and no account is needed.
//   -- claude codex       only the suites of these
//   MAESTRO_AGENTS_CACHE  where the agents are kept (about 1 GB), ~/.cache/maestro-agents by default
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { install } from './install.mjs';
import { ensureTestPrograms } from './programs.mjs';
import { ROOT, step } from './step.mjs';

const CACHE = resolve(process.env.MAESTRO_AGENTS_CACHE || join(homedir(), '.cache/maestro-agents'));
const AGENTS = JSON.parse(readFileSync(join(ROOT, 'test/agents/versions.json'), 'utf8'));

/** Gemini CLI ignores settings below a directory that others may write, sticky or not, so nothing of the suite may lie there. */
function makeCache() {
  mkdirSync(CACHE, { recursive: true, mode: 0o700 });
  for (let directory = CACHE; ; directory = dirname(directory)) {
    if ((statSync(directory).mode & 0o022) !== 0) {
      console.error(
        `The agents cannot be kept in ${CACHE}, as others may write ${directory}; set MAESTRO_AGENTS_CACHE to another directory.`,
      );
      process.exit(1);
    }
    if (directory === dirname(directory)) return;
  }
}

function homeOf(name) {
  return join(CACHE, `${name}-${AGENTS[name].version}`);
}

function binOf(home) {
  return join(home, 'node_modules/.bin');
}

/** What the agent says of itself, which proves that it runs here. Asked in a home of its own, as some write there at once. */
function saidVersion(name, home) {
  const own = join(CACHE, 'version');
  mkdirSync(own, { recursive: true });
  try {
    const env = { PATH: process.env.PATH, HOME: own };
    return execFileSync(join(binOf(home), name), ['--version'], { env, cwd: own, encoding: 'utf8', timeout: 120_000 }).trim();
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Installs one agent beside its place and moves it there, so that an install that was cut off is none. */
async function ensureAgent(name) {
  if (existsSync(homeOf(name))) return;
  const { package: packageName, version, postinstall } = AGENTS[name];
  const partial = `${homeOf(name)}.${process.pid}.part`;
  mkdirSync(partial);
  process.once('exit', () => rmSync(partial, { recursive: true, force: true }));
  writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
  // npm asks before it runs a package's scripts; the one that is needed is run here. `http` tells what is fetched: it is much.
  const flags = ['--prefix', partial, '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false', '--loglevel=http'];
  await step(`Installing ${packageName} ${version}`, 'npm', ['install', ...flags, `${packageName}@${version}`]);
  if (postinstall) await step(`Running its ${postinstall}`, process.execPath, [join(partial, 'node_modules', packageName, postinstall)]);
  saidVersion(name, partial);
  // Another run may have been faster.
  if (!existsSync(homeOf(name))) renameSync(partial, homeOf(name));
}

/** Tells what the suite is about to run, by its own word. */
function tellVersion(name) {
  const said = saidVersion(name, homeOf(name));
  console.log(`  ${name.padEnd(9)} ${said}`);
  if (said.includes(AGENTS[name].version)) return;
  console.error(`${name} should be ${AGENTS[name].version}; remove ${homeOf(name)} to install it again.`);
  process.exit(1);
}

/** Ends what a run that was cut off has left: all programs of its homes, which are gone afterwards. So there is one run at a time. */
function sweep() {
  const runs = join(CACHE, 'run');
  for (const pid of existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    try {
      if (
        readFileSync(`/proc/${pid}/environ`, 'latin1')
          .split('\0')
          .some((one) => one.startsWith(`HOME=${runs}/`))
      )
        process.kill(pid, 'SIGKILL');
    } catch {
      // Not ours, or gone.
    }
  }
  rmSync(runs, { recursive: true, force: true, maxRetries: 5 });
}

await install();
await ensureTestPrograms();
makeCache();
sweep();
process.once('exit', sweep);
const names = Object.keys(AGENTS);
for (const name of names) await ensureAgent(name);
names.forEach(tellVersion);
await import('./build.mjs');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/agents/vitest.config.ts', ...process.argv.slice(2)];
await step('Testing with the real agents', process.execPath, vitest, {
  MAESTRO_AGENTS_CACHE: CACHE,
  MAESTRO_AGENTS_PATH: names.map((name) => binOf(homeOf(name))).join(delimiter),
});
