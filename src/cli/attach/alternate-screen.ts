const ESC = 0x1b;
const CSI = 0x5b;
/** More digits and semicolons than any sequence of this kind has. */
const LONGEST = 40;
const MODES = new Set(['47', '1047', '1049']);

/** Follows in a program's output whether the terminal shows the alternate screen, however the output is cut into pieces. */
export class AlternateScreen {
  isOn = false;
  /** What came of a sequence that is not complete yet; empty outside of one. */
  #sequence = '';

  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#sequence === '') {
        at = bytes.indexOf(ESC, at);
        if (at < 0) return;
        this.#sequence = '\x1b';
      } else this.#step(bytes[at] as number);
    }
  }

  #step(byte: number): void {
    if (byte === ESC) this.#sequence = '\x1b';
    else if (this.#sequence === '\x1b') this.#begin(byte);
    else if (byte >= 0x40 && byte <= 0x7e) this.#end(String.fromCharCode(byte));
    else
      this.#sequence = byte === 0x18 || byte === 0x1a || this.#sequence.length > LONGEST ? '' : this.#sequence + String.fromCharCode(byte);
  }

  #begin(byte: number): void {
    if (byte === 0x63) this.isOn = false; // a full reset
    this.#sequence = byte === CSI ? '\x1b[' : '';
  }

  #end(final: string): void {
    const [, modes] = /^\x1b\[\?([\d;]*)$/.exec(this.#sequence) ?? [];
    this.#sequence = '';
    if (modes === undefined || (final !== 'h' && final !== 'l')) return;
    if (modes.split(';').some((mode) => MODES.has(mode))) this.isOn = final === 'h';
  }
}
