import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Script } from 'node:vm';
import { compiledBefore, nameOf } from './compiled-code.cjs';

interface RunningBundle {
  readonly name: string | undefined;
  readonly script: Script;
}

/**
 * Runs `bundle.cjs` of a directory as Node runs a module, with what was compiled of it when it was built. Where that is not there, or is of
 * another bundle or another Node, all is compiled anew: slower, and the same.
 */
export function runBundle(location: string): RunningBundle {
  const directory = resolve(location);
  const path = `${directory}/bundle.cjs`;
  const bundle = readFileSync(path, 'latin1'); // it is ASCII
  const name = nameOf(bundle);
  const cachedData = name === undefined ? undefined : compiledBefore(directory, name);
  // Its lines keep their numbers.
  const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${bundle}\n})`, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, directory);
  return { name, script };
}
