/** `share` of the first colour over the second, as `#rrggbb`. */
export function mixColors(over: string, under: string, share: number): string {
  const [a, b] = [channels(over), channels(under)];
  const mixed = a.map((value, n) => Math.round(value * share + (b[n] ?? 0) * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Of `#rrggbb`, `rgb(…)` and `color(srgb …)`, as browsers write resolved colours. */
function channels(color: string): number[] {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(color);
  if (hex) return hex.slice(1, 4).map((pair) => Number.parseInt(pair, 16));
  const scale = color.startsWith('color(srgb') ? 255 : 1;
  const numbers = color.slice(color.indexOf('(') + 1).match(/[\d.]+/g) ?? [];
  return numbers.slice(0, 3).map((number) => Number(number) * scale);
}
