// Puts the reporter into one file: it runs at every hook of an agent, which waits for it. CommonJS, as Node takes a fifth of its start longer
// to load any module of the other kind. The file is replaced at once, as hooks run meanwhile.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './step.mjs';

const BUNDLE = join(ROOT, 'dist/cli/hook.cjs');

const { output } = await build({
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  build: {
    ssr: join(ROOT, 'src/cli/hook/main.ts'),
    target: 'node20',
    minify: false,
    write: false,
    rolldownOptions: { output: { format: 'cjs', strict: true } },
  },
});
const [{ code, imports }, ...others] = output;
const foreign = imports.filter((name) => !name.startsWith('node:'));
if (others.length > 0 || foreign.length > 0) throw new Error(`the reporter is more than one file: ${foreign.join(', ')}`);

const temporary = `${BUNDLE}.${process.pid}.tmp`;
mkdirSync(dirname(BUNDLE), { recursive: true });
writeFileSync(temporary, code);
renameSync(temporary, BUNDLE);
