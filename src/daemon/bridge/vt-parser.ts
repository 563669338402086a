export const ENQ = 0x05;
export const BEL = 0x07;
export const CAN = 0x18;
export const SUB = 0x1a;
export const ESC = 0x1b;
/** First byte of U+0080..U+00BF in UTF-8. */
export const C1_LEAD = 0xc2;

/**
 * The `x` of `ESC x`, if the byte after a {@link C1_LEAD} makes the two a C1 control, which terminals that decode UTF-8 first carry out.
 * Raw bytes 0x80..0x9f are no controls in UTF-8.
 */
export function c1Final(byte: number | undefined): number | undefined {
  return byte !== undefined && byte >= 0x80 && byte <= 0x9f ? byte - 0x40 : undefined;
}

/** What one byte did. */
export const VT = {
  /** Stands outside of every sequence. */
  text: 0,
  /** ESC: starts a sequence; one that was unfinished ends here, and a string that ends so is still carried out. */
  begin: 1,
  /** Goes into the head of a sequence, which is not complete yet. */
  head: 2,
  /** A control character inside a head: carried out at once, the sequence goes on. */
  control: 3,
  /** Completes an escape sequence: `intermediates`, `final`. */
  escape: 4,
  /** Completes a control sequence: `prefix`, `params`, `intermediates`, `final`. */
  csi: 5,
  /** Completes the head of a string of `kind`; its payload follows. */
  string: 6,
  payload: 7,
  /** BEL, CAN or SUB: ends a string. */
  end: 8,
  /** Ends a sequence that has no effect. */
  void: 9,
} as const;
export type VtEvent = (typeof VT)[keyof typeof VT];

export const STATE = { ground: 0, escape: 1, csi: 2, dcs: 3, string: 4 } as const;
export type VtState = (typeof STATE)[keyof typeof STATE];

export const OSC = 0x5d;
export const DCS = 0x50;
export const APC = 0x5f;
export const PM = 0x5e;
export const SOS = 0x58;

const SGR = 0x6d;
const MAX_PARAMS = 32;
const MAX_PARAM = 99_999_999;

/**
 * The grammar of terminal output, one byte at a time, as the viewers' terminals read it (ECMA-48 as in Paul Williams' state table).
 *
 * Bytes above 0x7e inside a head are skipped: tmux skips them, and terminals skip at least those that are no UTF-8.
 */
export class VtParser {
  state: VtState = STATE.ground;
  /** The `< = > ?` before the parameters, or 0. */
  prefix = 0;
  /** Parameters given; an omitted one is 0, more than fit are left out. */
  count = 0;
  readonly params = new Int32Array(MAX_PARAMS);
  /** 1 where a parameter hangs on the one before by a colon. */
  readonly isSubparam = new Uint8Array(MAX_PARAMS);
  /** The bytes between parameters and final byte, the last three of them, as one number. */
  intermediates = 0;
  final = 0;
  /** {@link OSC}, {@link DCS}, {@link APC}, {@link PM} or {@link SOS} while in a string. */
  kind = 0;
  /** What the last {@link VT.begin} broke off, or `ground`. */
  broken: VtState = STATE.ground;
  #malformed = false;
  #full = false;
  #hasSubparams = false;

  /** The parameter at `index`, or 0. */
  param(index: number): number {
    return index < this.count ? (this.params[index] as number) : 0;
  }

  reset(): void {
    this.state = STATE.ground;
  }

  step(byte: number): VtEvent {
    if (byte === ESC) return this.#begin();
    switch (this.state) {
      case STATE.ground:
        return VT.text;
      case STATE.string:
        return this.#payload(byte);
      case STATE.escape:
        return this.#escape(byte);
      default:
        return this.#head(byte);
    }
  }

  #begin(): VtEvent {
    this.broken = this.state;
    this.state = STATE.escape;
    this.prefix = this.intermediates = this.final = this.count = 0;
    this.#malformed = this.#full = this.#hasSubparams = false;
    return VT.begin;
  }

  #payload(byte: number): VtEvent {
    if (byte !== CAN && byte !== SUB && (byte !== BEL || this.kind !== OSC)) return VT.payload;
    this.state = STATE.ground;
    return VT.end;
  }

  #escape(byte: number): VtEvent {
    if (byte < 0x20) return this.#control(byte);
    if (byte > 0x7e) return VT.head;
    if (byte < 0x30) return this.#intermediate(byte);
    if (this.intermediates === 0) {
      if (byte === 0x5b) return this.#enter(STATE.csi);
      if (byte === DCS) return this.#enter(STATE.dcs);
      if (byte === OSC || byte === APC || byte === PM || byte === SOS) return this.#string(byte);
    }
    this.state = STATE.ground;
    this.final = byte;
    return VT.escape;
  }

  #head(byte: number): VtEvent {
    if (byte < 0x20) return this.#control(byte);
    if (byte < 0x30) return this.#intermediate(byte);
    if (byte < 0x40) return this.#parameter(byte);
    if (byte > 0x7e) return VT.head;
    this.final = byte;
    if (this.state === STATE.dcs) return this.#string(this.#malformed ? SOS : DCS);
    this.state = STATE.ground;
    if (this.#hasSubparams && byte !== SGR) this.#dropSubparams();
    return this.#malformed ? VT.void : VT.csi;
  }

  #control(byte: number): VtEvent {
    if (byte !== CAN && byte !== SUB) return this.state === STATE.dcs ? VT.head : VT.control;
    this.state = STATE.ground;
    return VT.void;
  }

  #intermediate(byte: number): VtEvent {
    this.intermediates = ((this.intermediates << 8) | byte) & 0xffffff;
    return VT.head;
  }

  #parameter(byte: number): VtEvent {
    if (this.intermediates !== 0 || (byte > 0x3b && (this.count > 0 || this.prefix !== 0))) this.#malformed = true;
    else if (byte > 0x3b) this.prefix = byte;
    else {
      if (this.count === 0) this.#add(0); // stands for an omitted one when the byte is a separator
      if (byte > 0x39) this.#add(byte === 0x3a ? 1 : 0);
      else this.#digit(byte - 0x30);
    }
    return VT.head;
  }

  #add(isSubparam: 0 | 1): void {
    this.#full = this.count === MAX_PARAMS;
    if (this.#full) return;
    this.params[this.count] = 0;
    this.isSubparam[this.count] = isSubparam;
    this.count += 1;
    if (isSubparam === 1) this.#hasSubparams = true;
  }

  /** Terminals pass over them everywhere but in SGR: `CSI ? 1:25 h` says nothing of mode 25. */
  #dropSubparams(): void {
    const kept = this.params.filter((_, at) => at < this.count && this.isSubparam[at] === 0);
    this.params.set(kept);
    this.isSubparam.fill(0);
    this.count = kept.length;
  }

  #digit(digit: number): void {
    const at = this.count - 1;
    if (!this.#full) this.params[at] = Math.min(MAX_PARAM, (this.params[at] ?? 0) * 10 + digit);
  }

  #enter(state: VtState): VtEvent {
    this.state = state;
    return VT.head;
  }

  #string(kind: number): VtEvent {
    this.state = STATE.string;
    this.kind = kind;
    return VT.string;
  }
}
