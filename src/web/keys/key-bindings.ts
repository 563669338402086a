import { Preference } from '../settings/preference.js';
import { ALL_ACTIONS, defaultKey, isPageAction, type PageAction } from './page-actions.js';

/** The keys behind the leader that the user has chosen; empty for an action that shall have none. */
export type KeyBindings = Readonly<Partial<Record<PageAction, string>>>;

/** What each key behind the leader does. */
export type Chords = ReadonlyMap<string, PageAction>;

/** Why an action cannot have a key. `not_a_key`: it is none that a page can tell apart. */
export type KeyRefusal =
  | { readonly why: 'taken'; readonly key: string; readonly by: PageAction }
  | { readonly why: 'session' | 'not_a_key' };

/** One visible character, as the keyboard's layout writes it, or a key that moves. */
const KEY = /^(?:[!-~\u00a1-\uffff]|Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown|F(?:[1-9]|1[0-2]))$/;

/** Digits go to the sessions of the list. */
export const SESSION_KEY = /^[1-9]$/;

export function keyBindings(key: string): Preference<KeyBindings> {
  return new Preference<KeyBindings>({ key, fallback: {}, parse: parseBindings, format: (value) => JSON.stringify(value) });
}

/** What the user has chosen comes first; the key that an action comes with counts where nothing else has it. */
export function chordsOf(bindings: KeyBindings): Chords {
  const chosen = ALL_ACTIONS.map((action) => [bindings[action], action] as const);
  const usual = ALL_ACTIONS.map((action) => [bindings[action] === undefined ? defaultKey(action) : undefined, action] as const);
  const chords = new Map<string, PageAction>();
  for (const [key = '', action] of [...chosen, ...usual]) {
    if (key !== '' && !chords.has(key)) chords.set(key, action);
  }
  return chords;
}

export function keyOf(chords: Chords, action: PageAction): string | undefined {
  return [...chords].find(([, name]) => name === action)?.[0];
}

/** The bindings with `key` for `action`. Nothing is taken away from another action. */
export function rebound(bindings: KeyBindings, action: PageAction, key: string): KeyBindings | KeyRefusal {
  if (SESSION_KEY.test(key)) return { why: 'session' };
  if (!KEY.test(key)) return { why: 'not_a_key' };
  const by = chordsOf(bindings).get(key);
  if (by !== undefined && by !== action) return { why: 'taken', key, by };
  const { [action]: _, ...others } = bindings;
  return key === defaultKey(action) ? others : { ...others, [action]: key };
}

export function unbound(bindings: KeyBindings, action: PageAction): KeyBindings {
  return { ...bindings, [action]: '' };
}

/** The bindings with the key for `action` that it comes with, which another action may have been given. */
export function restored(bindings: KeyBindings, action: PageAction): KeyBindings | KeyRefusal {
  const usual = defaultKey(action);
  if (usual !== undefined) return rebound(bindings, action, usual);
  const { [action]: _, ...others } = bindings;
  return others;
}

export function isRefusal(answer: KeyBindings | KeyRefusal): answer is KeyRefusal {
  return 'why' in answer;
}

const ARROWS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** How a key is written. */
export function keyLabel(key: string): string {
  return ARROWS[key] ?? key;
}

/** What is stored may be of another version of the page: what it does not know, or could not be set here, is left out. */
export function parseBindings(json: string): KeyBindings | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter(([action, key]) => isPageAction(action) && isBindable(key)));
  } catch {
    return undefined;
  }
}

function isBindable(key: unknown): boolean {
  return typeof key === 'string' && (key === '' || (KEY.test(key) && !SESSION_KEY.test(key)));
}
