// `node scripts/bundle.mjs daemon` puts the daemon, or another program of the table, into one file with all that it needs of packages: to
// find and read hundreds of modules takes as long as all else that a start does. Beside it come the licences of what is in it, and what
// V8 compiles of it in a run. Files are replaced at once, as hooks and other commands start meanwhile.
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { BUNDLES } from './bundles.mjs';
import { keepCompiled } from './keep-compiled.mjs';
import { ROOT } from './step.mjs';

/** Packages that the WebSocket library takes where somebody has installed them. */
const OPTIONAL = ['bufferutil', 'utf-8-validate'];

async function bundled({ from }) {
  const { output } = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    ssr: { noExternal: true, external: OPTIONAL },
    build: {
      ssr: join(ROOT, from),
      target: 'node20',
      // Half the size would be read no quicker, and tell less where something goes wrong.
      minify: false,
      write: false,
      license: true,
      rolldownOptions: { output: { format: 'cjs', strict: true, codeSplitting: false } },
    },
  });
  const [{ code, fileName, imports, dynamicImports }, ...others] = output.filter(({ type }) => type === 'chunk');
  // A program that is run with what was compiled before cannot import at run time.
  const foreign = [...imports.filter((name) => !isBuiltin(name)), ...dynamicImports.filter((name) => name !== fileName)];
  if (others.length > 0 || foreign.length > 0) throw new Error(`${from} is more than one file: ${foreign.join(', ')}`);
  return { code, licences: output.find(({ fileName }) => fileName.endsWith('license.md')).source };
}

function replace(path, content) {
  const temporary = `${path}.${process.pid}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

/**
 * The same code in ASCII, which V8 holds in half the memory. An escape means the character wherever code may have it, unless a backslash is
 * before it or the text is taken as it was written.
 */
function inAscii(code, from) {
  if (/\\[^\x00-\x7f]|String\.raw/.test(code)) throw new Error(`${from} has characters that cannot be escaped`);
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Its first line tells what was compiled of it from what was compiled of another. */
const named = (code) => `// sha256:${createHash('sha256').update(code).digest('hex')}\n${code}`;

const names = process.argv.slice(2);
for (const name of names) {
  const { to } = BUNDLES[name];
  const { code, licences } = await bundled(BUNDLES[name]);
  replace(join(ROOT, to.replace(/\.cjs$/, '.licences.md')), licences);
  replace(join(ROOT, to), named(inAscii(code, name)));
}
await keepCompiled(names.filter((name) => BUNDLES[name].isKept));
