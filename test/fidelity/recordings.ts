/** What a program writes for one key, in the pieces in which it does. */
export type Step = readonly string[];

const csi = (...sequences: string[]) => sequences.map((sequence) => `\x1b[${sequence}`).join('');
const at = (row: number, column: number) => csi(`${row};${column}H`);
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const rows = (count: number, width = 50) =>
  times(count, (row) => `${at(row + 1, 1)}${csi(`3${row % 8}m`)}${`row ${row} `.repeat(9).slice(0, width)}${csi('m')}`);

/** An interface that lives in the last lines and draws itself anew by going up over them, as Ink does, with a log above it. */
function inlineFrame(frame: number): Step {
  const before = frame === 0 ? 0 : 2 + ((frame - 1) % 4);
  const erase = times(before, () => csi('2K', '1A')).join('') + csi('2K', 'G');
  const log =
    frame % 3 === 2 ? times(frame, (line) => `${csi('2m')}log ${frame}.${line}${csi('22m')} ${'wraps '.repeat(line * 6)}\r\n`) : [];
  const height = 2 + (frame % 4);
  const box = times(height, (line) => `\u2502 ${csi(`38;2;${line * 50};${frame * 20};200m`)}frame ${frame} \u6f22${csi('39m')} \u2502\r\n`);
  return [csi('?2026h', '?25l'), erase, ...log, ...box, csi('?2026l', '?25h')];
}

/** By kind of what a program does to a terminal. Made for any size from 60 x 20 on. */
export const RECORDINGS: Readonly<Record<string, readonly Step[]>> = {
  'inline redraws': times(12, inlineFrame),
  'alternate screen': [
    ['normal text\r\n', csi('?1049h', '2J'), ...rows(12)],
    [csi('?1049l'), 'back\r\n'],
    [csi('?47h'), ...rows(5), csi('?47l')],
    [csi('31m'), csi('?1049h', 'H', 'J'), 'red inside', csi('5;5H')],
    [csi('?1049h'), 'again', csi('m')],
    [csi('?1049l'), ' behind\r\n', csi('m')],
    [csi('?1047h', 'H'), 'other', csi('?1047l'), 'end\r\n'],
  ],
  'wide characters': [
    ['\u6f22\u5b57\u304b\u306a \ud55c\uad6d\uc5b4 \uff21\uff22\r\n', '\u{1f600}\u{1f680} \u2705 \u26a1 \u2b50\r\n'],
    ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}| \u{1f3f3}\ufe0f\u200d\u{1f308}| \u{1f44d}\u{1f3fd}| \u{1f1e9}\u{1f1ea}|\r\n'],
    [
      'e\u0301 o\u0308\u0304 \u0928\u093f \u0e17\u0e35\u0e48 \u1112\u1161\u11ab\r\n',
      '\u2764\ufe0f| \u26a0\ufe0f| 1\ufe0f\u20e3| \u263a\ufe0e|\r\n',
    ],
    ['\u{1f972}\u{1fae0}\u{1f6dd}\u{1faa8}\u{1f977}| \u{1f93b}| \u4dc0\u3248|\r\n'],
    ['x'.repeat(59), '\u6f22', 'after\r\n', csi('999G'), 'x\u5b57', 'y\r\n', 'x'.repeat(79), '\u6f22', 'end\r\n'],
    ['\u6f22\u5b57\u6f22\u5b57', csi('3G'), 'a', csi('6G'), 'b', '\r\n'],
    ['\u6f22\u5b57\u6f22\u5b57', csi('3G', '2P'), '\r\n\u6f22\u5b57', csi('3G', '2@'), '\r\n\u6f22\u5b57', csi('3G', '2X'), '\r\n'],
    times(8, (line) => '\u6f22\u5b57 \u{1f600} mixed '.repeat(5 + line)).concat('\r\n'),
  ],
  'scroll regions': [
    [csi('2J'), ...rows(15), csi('4;10r'), at(10, 1), 'one\r\ntwo\r\nthree'],
    [at(4, 1), '\x1bM', 'up', '\x1bM\x1bM', 'top'],
    [at(10, 5), '\x1bD', 'down', '\x1bE', 'next'],
    [csi('2S'), csi('T'), at(6, 1), csi('2L'), csi('M')],
    [csi('r'), at(20, 1), '\n\n\n', 'foot'],
    ['\x1b7', csi('3;5r'), '\x1b8', 'saved', '\r\n', csi('r')],
    [csi('1;8r'), at(8, 1), ...times(20, (line) => `\r\nhistory ${line}`), csi('r')],
  ],
  'insert and delete': [
    [csi('2J'), ...rows(10)],
    [at(3, 5), csi('3@'), 'new', at(4, 5), csi('4P'), at(5, 5), csi('6X')],
    [at(2, 1), csi('2L'), 'line', at(7, 1), csi('3M')],
    [at(6, 10), csi('K'), at(7, 10), csi('1K'), at(8, 10), csi('2K')],
    [at(9, 4), csi('44m', 'K', 'm'), at(9, 20), 'on blue gone'],
    [csi('4h'), at(2, 3), 'inserted', csi('4l'), 'replaced'],
    [at(5, 8), csi('J'), at(2, 8), csi('1J')],
  ],
  colours: [
    times(16, (n) => `${csi(`48;2;${n * 16};80;${255 - n * 16}m`)} ${csi(`38:2::${n * 10}:200:10m`)}x`).concat(csi('m'), '\r\n'),
    times(32, (n) => `${csi(`38;5;${n * 8}m`)}p${csi(`48:5:${n * 7}m`)}q`).concat(csi('m'), '\r\n'),
    [1, 2, 3, 4, 5, 7, 8, 9, 53].map((n) => `${csi(`${n}m`)}attr ${n}${csi('m')} `).concat('\r\n'),
    times(8, (n) => `${csi(`9${n}m`)}bright${csi(`10${n}m`)}back${csi('39;49m')} `).concat('\r\n'),
    [csi('4:3m'), 'curly', csi('58:2::255:0:0m'), 'red curl', csi('59m', '24m'), csi('21m'), 'double', csi('24m'), '\r\n'],
    [csi('1;31;47m'), 'kept over the lines\r\n', csi('22m'), 'and on', csi('K'), '\r\n', csi('0m')],
  ],
  'line drawing': [
    ['\x1b(0lqqqqk\x1b(B\r\n', '\x1b(0x    x\x1b(B\r\n', '\x1b(0mqqqqj\x1b(B\r\n'],
    ['\x1b)0', '\x0eaffgjklmnopqrstuvwxyz{|}~\x0f', 'plain\r\n'],
    ['\x1b(0', 'tqnqu', '\x1b7', '\x1b(B', 'text', '\x1b8', 'qq', '\x1b(B', '\r\n'],
    [csi('?1049h'), '\x1b(0lqk', '\x1b(B', csi('?1049l'), 'after\r\n'],
    ['\x0e', 'lqqk', '\x0f\x1b)B', '\r\n'],
  ],
  tabs: [
    ['a\tb\tc\td\r\n', '\t\tend', '\x1b[2Zback\r\n'],
    [csi('3g'), csi('5G'), '\x1bH', csi('17G'), '\x1bH', '\r', 'x\ty\tz\tlast\r\n'],
    ['\r\t\tforth', csi('2Z'), 'back\r\n'],
    ['overwritten text here\r', '\t', 'T', '\r\n'],
    [...times(14, (n) => `${csi(`${1 + n * 8}G`)}\x1bH`), '\r\n'],
  ],
  repeats: [
    ['-', csi('30b'), '\r\n', 'ab', csi('4b'), '\r\n'],
    [csi('35m'), '=', csi('40b'), csi('m'), '\r\n'],
    ['\x1b(0q', csi('10b'), '\x1b(B\r\n'],
    ['x', csi('3b'), csi('2D'), 'y', '\r\n'],
  ],
  'long history': [
    times(300, (line) => `line ${line} ${'text '.repeat(line % 40)}\r\n`),
    times(100, (line) => `${csi(`3${line % 8}m`)}coloured ${line}${csi('m')}\n\r`),
    times(60, (line) => `${line} ${'\u6f22'.repeat(line)}\r\n`),
    times(400, (line) => `more ${line}\r\n`),
  ],
  'origin mode': [
    [csi('2J'), ...rows(14), csi('5;12r', '?6h', 'H'), 'top of region', csi('3;4H'), 'inside'],
    [csi('50;1H'), 'bottom', csi('2d'), 'vpa'],
    ['\n\n\n', 'scrolled'],
    [csi('?6l', 'r'), at(1, 1), 'free'],
  ],
  'autowrap off': [
    [csi('?7l'), 'x'.repeat(200), 'END\r\n', '\u6f22'.repeat(100), '\r\n'],
    ['still off ', 'y'.repeat(150), '\r'],
    ['\r\n', csi('?7h'), 'wraps '.repeat(40), '\r\n'],
    ['z'.repeat(120), csi('D'), 'back\r\n', 'w'.repeat(120), '\x1b[1Cq\r\n'],
    ['v'.repeat(240), '\r', 'start', '\r\n'],
    ['u'.repeat(60), csi('999C'), 'a', 'b\r\n', csi('999G'), 'c', '\r\n'],
  ],
  modes: [
    ['\x1b]2;title one\x07', csi('4 q', '?2004h', '?1h', '>1u'), '\x1b=', 'on\r\n'],
    [csi('?1000h', '?1006h', '?25l'), '\x1b]0;\u6f22 title\x1b\\', csi('?1004h')],
    [csi('?1002h', '>5u'), csi('?1003h'), 'mouse\r\n'],
    [csi('?1049h', '>3u'), csi('2 q'), 'alternate', csi('?1l')],
    [csi('<u', '?1049l'), csi('?1003l', '?1006l'), '\x1b>', csi('?25h', '?2004l', '?1l')],
    [csi('>4;2m', '<u', '=2;1u'), csi('?1000h'), csi('?1000l'), csi('0 q', '?1004l')],
  ],
  'synchronized updates': [
    [csi('?2026h'), csi('H', '2J'), ...rows(10), csi('?2026l')],
    [csi('?2026h'), at(5, 5), 'held', csi('?2026l'), csi('?2026h'), at(6, 5), 'twice', csi('?2026l')],
    times(12, (frame) => `${csi('?2026h', 'H')}frame ${frame}${csi('K', '?2026l')}`),
  ],
  'resets and saved cursors': [
    [...rows(6), '\x1b7', csi('32m'), at(10, 10), 'green', '\x1b8', 'restored'],
    [csi('2;6r', '4h', '?25l'), 'set\r\n', csi('r', '4l', '?25h'), 'reset\r\n'],
    ['\x1b#8', at(3, 3), 'in E'],
    ['\x1bc', 'fresh\r\n'],
    [csi('s'), at(8, 8), 'away', csi('u'), 'home', '\r\n'],
  ],
  'shell lines': [
    ['$ make\r\n', ...times(20, (n) => `\r[${'#'.repeat(n)}${' '.repeat(20 - n)}] ${n * 5}%`), '\r\n'],
    ['\x07', 'typo\b\b', 'y', csi('K'), '\r\n', '\rabc\x0b', 'def\x0c', 'g\r\n'],
    [csi('H', '2J', '3J'), '$ cleared\r\n'],
    ['$ ', 'long command '.repeat(16), csi('3A'), '\r', csi('6C'), csi('J'), 'rest\r\n'],
    [csi('H', 'J'), '$ top again\r\n'],
    times(70, (line) => `ls ${line}\r\n`),
  ],
};

/** Always the same for the same seed, so that a failure can be had again. */
export function random(seed: number): () => number {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
