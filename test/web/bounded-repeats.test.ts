import headless from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { boundRepeats } from '../../src/web/terminal/bounded-repeats.js';

/** What a terminal shows after `output`, line by line. */
async function shown(output: string): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: 20, rows: 6, allowProposedApi: true });
  boundRepeats(terminal as unknown as Parameters<typeof boundRepeats>[0]);
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const lines = Array.from({ length: 6 }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '');
  terminal.dispose();
  return lines;
}

describe('a program that asks for two thousand million repeats', () => {
  test.each(['b', 'S', 'T', 'L', 'M', 'Z'])('CSI %s does not stop the terminal', async (final) => {
    expect(await shown(`one\r\n\x1b[2147483647${final}two`)).toContain('two');
  });

  test('and one that asks for a few gets them', async () => {
    expect((await shown('x\x1b[3b'))[0]).toBe('xxxx');
    expect((await shown('one\r\ntwo\x1b[1S'))[0]).toBe('two');
  });
});
