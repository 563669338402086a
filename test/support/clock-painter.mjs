// A program that paints a whole alternate screen once, and after that only its clock: a key draws it a thousand times, q leaves the screen.
const { rows, columns } = process.stdout;
const painted = Array.from({ length: rows - 1 }, (_, y) => `\x1b[${y + 1};1H\x1b[3${y % 8}mrow ${y} ${'static '.repeat(8)}\x1b[m`);
let time = 0;
process.stdin.setRawMode(true);
process.stdout.write(
  `before the clock\r\n\x1b]2;clock\x07\x1b[?1049h\x1b[?2004h\x1b[?1h\x1b[?1003h\x1b[?1006h\x1b[?25l${painted.join('')}`,
);
process.stdin.on('data', (keys) => {
  if (keys.includes(0x71)) process.stdout.write('\x1b[?1003l\x1b[?1049lbehind the clock');
  // Colour and character set stay as they are for what is drawn next.
  if (keys.includes(0x70)) process.stdout.write('\x1b[3;40H\x1b[35m\x1b(0');
  if (keys.includes(0x77)) process.stdout.write('lqk\x1b(B\x1b[m');
  if (keys.includes(0x63))
    for (let i = 0; i < 1000; i++) {
      time += 1;
      process.stdout.write(`\x1b[1;${columns - 9}H\x1b[31m${String(time).padStart(6, '0')}\x1b[m`);
    }
});
