// `node scripts/keep-compiled.cjs DIRECTORY WORDS...`: runs the bundle of a directory with these words as it is run later, and keeps what V8
// has compiled of it by its end.
const { join } = require('node:path');

const [directory] = process.argv.splice(2, 1);
const launch = join(__dirname, '../dist/launch');
const { keepCompiled } = require(join(launch, 'compiled-code.cjs'));
const { name, script } = require(join(launch, 'run-bundle.cjs')).runBundle(directory);
process.on('exit', () => keepCompiled(directory, name, script));
