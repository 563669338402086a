import { browserStorage, onStorageChange } from '../parts/browser-storage.js';
import { Store } from '../parts/store.js';

interface PreferenceOptions<T> {
  readonly key: string;
  readonly fallback: T;
  /** Undefined for what is no such value. */
  readonly parse: (text: string) => T | undefined;
  readonly format?: (value: T) => string;
}

/** A choice that this browser remembers; its pages share it. */
export class Preference<T> extends Store<T> {
  readonly #options: PreferenceOptions<T>;

  constructor(options: PreferenceOptions<T>) {
    super(read(options, browserStorage.read(options.key)));
    this.#options = options;
    onStorageChange(options.key, (text) => super.set(read(options, text)));
  }

  override set(value: T): void {
    const { key, format = String } = this.#options;
    browserStorage.write(key, format(value));
    super.set(value);
  }
}

function read<T>({ fallback, parse }: PreferenceOptions<T>, text: string | undefined): T {
  return (text === undefined ? undefined : parse(text)) ?? fallback;
}

/** A preference with a few possible values. */
export function choice<T extends string>(key: string, values: readonly [T, ...T[]]): Preference<T> {
  return new Preference<T>({ key, fallback: values[0], parse: (text) => values.find((value) => value === text) });
}

export function flag(key: string, { fallback = false } = {}): Preference<boolean> {
  return new Preference<boolean>({ key, fallback, parse: (text) => (/^(true|false)$/.test(text) ? text === 'true' : undefined) });
}

/** A whole number in bounds, or 0 for none. */
export function number(key: string, { least, most }: { readonly least: number; readonly most: number }): Preference<number> {
  const parse = (text: string) => (/^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined);
  return new Preference<number>({ key, fallback: 0, parse });
}

export function text(key: string): Preference<string> {
  return new Preference<string>({ key, fallback: '', parse: (value) => value });
}

export function names(key: string): Preference<readonly string[]> {
  return new Preference<readonly string[]>({ key, fallback: [], parse: parseNames, format: (value) => JSON.stringify(value) });
}

function parseNames(json: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}
