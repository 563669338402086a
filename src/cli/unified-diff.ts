import type { DiffFile, FileDiff, Hunk } from '../protocol/index.js';
import type { Output, Style } from './output.js';
import { printable } from './printable.js';

const LINE_STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '\\': 'grey' };

/**
 * One file's changes as `git apply` and `patch` take them. A terminal gets them coloured and with every control character shown as an
 * escape; elsewhere the lines are as they are.
 */
export function unifiedDiff(file: FileDiff, output: Output): string[] {
  if (isLeftOut(file)) return [output.style('bold', leftOutLine(file))];
  const parts = file.status === 'type_changed' ? partsOfTypeChange(file) : [file];
  return parts.flatMap((part) => patchOf(part, output));
}

function patchOf(file: FileDiff, output: Output): string[] {
  const shown = output.isTerminal ? linesForTerminal : (line: string) => line;
  return [
    ...headerLines(file).map((line) => output.style('bold', line)),
    ...file.hunks.flatMap((hunk) => [
      hunkHeader(hunk, output),
      ...hunk.lines.map((line) => {
        const style = LINE_STYLES[line[0] ?? ''];
        return style === undefined ? shown(line) : output.style(style, shown(line));
      }),
    ]),
  ];
}

/** Tabs keep the columns of the text. */
function linesForTerminal(line: string): string {
  return line.split('\t').map(printable).join('\t');
}

function hunkHeader({ old_start, old_lines, new_start, new_lines, section }: Hunk, output: Output): string {
  const range = output.style('cyan', `@@ -${old_start},${old_lines} +${new_start},${new_lines} @@`);
  return section === undefined || section === '' ? range : `${range} ${output.isTerminal ? linesForTerminal(section) : section}`;
}

/** Whether its change cannot be told in a patch: a header alone would say that the file became empty, or fail the whole patch. */
function isLeftOut(file: FileDiff): boolean {
  if (file.binary || file.cut === 'too_large') return true;
  if (file.hunks.length > 0 || file.status === 'type_changed') return false;
  if (isNew(file)) return file.new_mode === undefined;
  return modeLines(file).length + renamingLines(file).length === 0;
}

/** It does not end as git's own line does: git refuses a patch that has one of those after a header. */
function leftOutLine(file: FileDiff): string {
  const names = namesOf(file);
  return file.binary
    ? `Binary files ${names.old} and ${names.new} differ: not in this patch`
    : `Files ${names.old} and ${names.new}: not in this patch`;
}

/** git takes another type of file only as one that goes and one that comes. */
function partsOfTypeChange({ old_mode, new_mode, hunks, ...file }: FileDiff): FileDiff[] {
  const isComing = ({ old_lines }: Hunk) => old_lines === 0;
  return [
    { ...file, status: 'deleted', old_mode, hunks: hunks.filter((hunk) => !isComing(hunk)) },
    { ...file, status: 'added', new_mode, hunks: hunks.filter(isComing) },
  ];
}

function namesOf({ path, old_path = path }: DiffFile): Readonly<Record<'old' | 'new', string>> {
  return { old: quotedName(`a/${old_path}`), new: quotedName(`b/${path}`) };
}

function isNew({ status }: DiffFile): boolean {
  return status === 'added' || status === 'untracked';
}

function headerLines(file: FileDiff): string[] {
  const names = namesOf(file);
  const header = [`diff --git ${names.old} ${names.new}`, ...modeLines(file), ...renamingLines(file)];
  if (file.hunks.length === 0) return header;
  return [
    ...header,
    `--- ${isNew(file) ? '/dev/null' : endedName(names.old)}`,
    `+++ ${file.status === 'deleted' ? '/dev/null' : endedName(names.new)}`,
  ];
}

/** A file that comes or goes always has a mode, as git takes no such header without. */
function modeLines(file: DiffFile): string[] {
  const { status, old_mode = PLAIN_FILE, new_mode = PLAIN_FILE } = file;
  if (isNew(file)) return [`new file mode ${new_mode}`];
  if (status === 'deleted') return [`deleted file mode ${old_mode}`];
  return old_mode === new_mode ? [] : [`old mode ${old_mode}`, `new mode ${new_mode}`];
}

const PLAIN_FILE = '100644';

function renamingLines({ path, old_path, status }: DiffFile): string[] {
  if (old_path === undefined || (status !== 'renamed' && status !== 'copied')) return [];
  const word = status === 'renamed' ? 'rename' : 'copy';
  return [`${word} from ${quotedName(old_path)}`, `${word} to ${quotedName(path)}`];
}

/** The tab tells where a name with spaces ends. */
function endedName(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

const ESCAPED = /["\\]|(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]/u;
const ESCAPED_ALL = new RegExp(ESCAPED, 'gu');
const NAMED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A file name as git writes it: in quotes, with C escapes, where it holds a character that could be misread. */
function quotedName(name: string): string {
  if (!ESCAPED.test(name)) return name;
  const escaped = name.replace(ESCAPED_ALL, (character) => NAMED[character] ?? octal(character));
  return `"${escaped}"`;
}

function octal(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
