/** CSI; a string sequence such as OSC or DCS, also one that never ends; any other escape; in their 7-bit and 8-bit forms. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;
const STYLE = /^\x1b\[[0-9;:]*m$/;
/** Looks at each run of carriage returns once: without the first part, one that is long would be gone through from each of its characters. */
const LINE_END = /(?<!\r)\r+\n/g;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Terminal output as plain text: sequences are left out, line breaks and tabs stay, a line that was overwritten keeps its last text. */
export function withoutControls(text: string): string {
  return text
    .replace(SEQUENCE, '')
    .replace(LINE_END, '\n')
    .split('\n')
    .map((line) => lastWriting(line).replace(CONTROL, ''))
    .join('\n');
}

/** What a carriage return moved back over is mostly a progress bar that was drawn again. */
function lastWriting(line: string): string {
  return line.split('\r').findLast((part) => part !== '') ?? '';
}

/** As {@link withoutControls}, but colours and attributes stay, and end with the text. */
export function withStylesOnly(text: string): string {
  const pieces = text.replace(LINE_END, '\n').split(/((?:\x1b\[)[0-9;:]*m)/);
  const kept = pieces.map((piece) => (STYLE.test(piece) ? piece : piece.replace(SEQUENCE, '').replace(CONTROL, '')));
  return `${kept.join('')}\x1b[0m`;
}
