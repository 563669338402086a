// A program that redraws in place. Each key is one step, drawn in several small writes so that a viewer can come in between.
const out = (text) => process.stdout.write(text);
let step = Number(process.argv[2] ?? 0);
let height = 0;
const size = () => ({ cols: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 });
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

async function inline(n) {
  if (height > 0) out(`\x1b[${height}A`);
  const lines = [
    `\x1b[1m\u273b step ${n}\x1b[0m \x1b[38;2;${(n * 40) % 256};120;200mtruecolor\x1b[m`,
    `\x1b[48;5;${16 + (n % 200)}m palette \x1b[m \u6f22\u5b57 \u{1f600} e\u0301 ${'#'.repeat(n % 30)}`,
    `\x1b(0lqqqk\x1b(B \x1b[4munder\x1b[24m \x1b[9mstruck\x1b[m`,
    `\x1b[2mhint ${'.'.repeat(n % 7)}\x1b[m`,
  ].slice(0, 2 + (n % 3));
  for (const line of lines) {
    out(`\r\x1b[2K${line}\r\n`);
    await pause();
  }
  out('\x1b[J');
  height = lines.length;
}

async function log(n) {
  height = 0;
  for (let i = 0; i < 6; i++) {
    out(`\x1b[3${i + 1}mline ${n}.${i}\x1b[m ${'wrapping '.repeat(i * 4)}\r\n`);
    await pause();
  }
}

async function alternate(n) {
  const { rows, cols } = size();
  out('\x1b[?1049h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[2J');
  for (let y = 1; y <= rows; y++) {
    out(`\x1b[${y};1H\x1b[4${y % 8}m${String(n)}:${y} ${'x'.repeat(Math.max(0, cols - 12))}\x1b[m`);
    if (y % 8 === 0) await pause();
  }
  out('\x1b[5;10H');
}

async function region(n) {
  const { rows } = size();
  out(`\x1b7\x1b[3;${rows - 2}r\x1b[${rows - 2};1H`);
  for (let i = 0; i < 3; i++) {
    out(`\r\nscrolled ${n}.${i}`);
    await pause();
  }
  out('\x1b[4;1H\x1bM\x1b[L\x1b[2Pedited');
  out('\x1b[r\x1b8');
}

async function leave() {
  out('\x1b[?1002l\x1b[?1006l\x1b[?2004l\x1b[?1049l');
}

const STEPS = [inline, inline, log, inline, region, alternate, region, leave, inline, log, inline, inline];

let turn = Promise.resolve();
process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => {
  for (const _ of keys)
    turn = turn.then(async () => {
      await STEPS[step % STEPS.length](step);
      step += 1;
    });
});
out('\x1b]2;painter\x07ready\r\n');
