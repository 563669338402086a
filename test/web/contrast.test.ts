import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Text, what must be seen but not read, and text for who asks for more (WCAG 2.2, 1.4.3, 1.4.11 and 1.4.6). */
const TEXT = 4.5;
const SHAPE = 3;
const MORE = 7;

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

type Tokens = ReadonlyMap<string, Readonly<Record<Theme, Rgba>>>;

const CSS = readFileSync(new URL('../../src/web/styles/tokens.css', import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '');

/** A token that is a colour, or a pair of colours, one for each theme. */
const TOKEN = /--([\w-]+):\s*(?:light-dark\((#\w+|rgb\([^)]*\)),\s*(#\w+|rgb\([^)]*\))\)|(#\w+));/g;

/** The tokens of the rules for everything, and those of a palette of terminals where it has its own. */
function readTokens(palette = 'maestro'): Tokens {
  const tokens = new Map<string, Readonly<Record<Theme, Rgba>>>();
  for (const [, selectors = '', body = ''] of CSS.matchAll(/(?:^|\})\s*([^{}@]+)\{([^{}]*)(?=\})/g)) {
    if (!isFor(selectors, palette)) continue;
    for (const [, name = '', light = '', dark = '', both = ''] of body.matchAll(TOKEN)) {
      tokens.set(name, { light: color(light || both), dark: color(dark || both) });
    }
  }
  return tokens;
}

function isFor(selectors: string, palette: string): boolean {
  return selectors.split(',').some((selector) => [':root', `[data-terminal="${palette}"]`].includes(selector.trim()));
}

function color(text: string): Rgba {
  const hex = /^#(..)(..)(..)$/.exec(text);
  const numbers = hex ? hex.slice(1).map((pair) => Number.parseInt(pair, 16)) : (text.match(/[\d.]+/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  return [red, green, blue, alpha];
}

const PALETTES = { maestro: TEXT, night: TEXT, contrast: MORE } as const;

const page = readTokens();

/** The colour of `names` laid over each other, the first at the bottom. */
function stacked(names: readonly string[], theme: Theme, tokens: Tokens): Rgba {
  return names.map((name) => tokens.get(name)?.[theme] ?? missing(name)).reduce(over);
}

function missing(name: string): never {
  throw new Error(`there is no token --${name}`);
}

function over(below: Rgba, above: Rgba): Rgba {
  const [, , , alpha] = above;
  const mixed = [0, 1, 2].map((n) => (above[n] ?? 0) * alpha + (below[n] ?? 0) * (1 - alpha));
  return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0, 1];
}

function luminance([red, green, blue]: Rgba): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) =>
    value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

interface Place {
  readonly theme: Theme;
  readonly tokens?: Tokens;
}

function contrast(front: string, back: readonly string[], { theme, tokens = page }: Place): number {
  const surface = stacked(back, theme, tokens);
  const [high = 0, low = 0] = [luminance(stacked([...back, front], theme, tokens)), luminance(surface)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

type Pair = readonly [front: string, back: readonly string[], least: number];

const SURFACES = ['bg-app', 'bg-panel', 'bg-raised', 'bg-inset', 'bg-selected', 'bg-control'];
const STATES = ['waiting', 'working', 'done', 'dead', 'dormant'];
const ANSI = ['fg', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'bright-black'];
const SOFT = ['bright-black'];

function pairs(): Pair[] {
  const onSurfaces = SURFACES.flatMap((surface): Pair[] => [
    ...['fg', 'fg-2', 'fg-3', 'waiting-fg', 'dead-fg', 'working-fg', 'done-fg'].map((text): Pair => [text, [surface], TEXT]),
    ...[...STATES, 'idle', 'ink'].map((shape): Pair => [shape, [surface], SHAPE]),
  ]);
  const onTouched = ['bg-app', 'bg-panel', 'bg-raised'].flatMap((surface): Pair[] => [
    ['fg-2', [surface, 'bg-hover'], TEXT],
    ['fg-3', [surface, 'bg-hover'], TEXT],
    ['fg-2', [surface, 'bg-active'], TEXT],
  ]);
  const onTints = STATES.flatMap((state): Pair[] => [
    [`${state}-fg`, [`${state}-bg`], TEXT],
    [state, [`${state}-bg`], SHAPE],
  ]);
  const others: Pair[] = [
    ['on-ink', ['ink'], TEXT],
    ['line-control', ['bg-inset'], SHAPE],
    ['line-control', ['bg-raised'], SHAPE],
    ['fg-2', ['waiting-bg'], TEXT],
  ];
  return [...onSurfaces, ...onTouched, ...onTints, ...others];
}

/** What programs print, on the terminal and on lines that came or went. */
function terminalPairs(least: number): Pair[] {
  const onScreen = ANSI.map((name): Pair => [`t-${name}`, ['t-bg'], SOFT.includes(name) ? TEXT : least]);
  const onLines = ['add', 'del'].flatMap((back) => ANSI.map((name): Pair => [`t-${name}`, [`t-${back}`], TEXT]));
  return [...onScreen, ...onLines, ['t-fg', ['t-select'], least], ['t-cursor', ['t-bg'], SHAPE]];
}

describe.each(THEMES)('in the %s theme', (theme) => {
  test.each(pairs())('%s on %j has a contrast of %d at least', (front, back, least) => {
    expect(contrast(front, back, { theme })).toBeGreaterThanOrEqual(least);
  });
});

describe.each(Object.entries(PALETTES))('in the palette %s', (palette, least) => {
  const tokens = readTokens(palette);
  describe.each(THEMES)('and the %s theme', (theme) => {
    test.each(terminalPairs(least))('%s on %j has a contrast of %d at least', (front, back, wanted) => {
      expect(contrast(front, back, { theme, tokens })).toBeGreaterThanOrEqual(wanted);
    });
  });

  test('has every colour of a terminal', () => {
    expect(ANSI.filter((name) => !tokens.has(`t-${name}`))).toEqual([]);
  });
});
