/** The longest name of a file, in bytes: with a number behind it, it is still below what file systems allow. */
const NAME_LIMIT = 120;
/** Of that, what the ending may take. */
const ENDING_LIMIT = 20;

/** Control and format characters, unpaired surrogates, line and paragraph separators. */
const INVISIBLE = /[\p{C}\u2028\u2029]/gu;

/**
 * What a file is called here that somebody else has named: the last part of a path, with nothing in it that cannot be seen, and never a
 * hidden file. `file` where nothing is left.
 */
export function uploadName(given: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const seen = last.replace(INVISIBLE, '').replace(/\s+/gu, ' ');
  return shortened(seen.replace(/^[. ]+|[. ]+$/g, '')) || 'file';
}

/** `plan.md`, `plan-2.md`, `plan-3.md`, …: the nth name for one file, from 1. */
export function numberedName(name: string, count: number): string {
  if (count === 1) return name;
  const [stem, ending] = parts(name);
  return `${stem}-${count}${ending}`;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_LIMIT) return name;
  const [stem, ending] = parts(name);
  return `${cut(stem, NAME_LIMIT - Buffer.byteLength(ending)).trimEnd()}${ending}`;
}

/** The name, and its ending where it has one of sensible length. */
function parts(name: string): readonly [string, string] {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  return ending === '' || Buffer.byteLength(ending) > ENDING_LIMIT ? [name, ''] : [name.slice(0, dot), ending];
}

/** At most so many bytes, in whole characters. */
function cut(text: string, limit: number): string {
  let bytes = 0;
  const kept: string[] = [];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    kept.push(character);
  }
  return kept.join('');
}
