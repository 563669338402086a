/** `share` of the first colour over the second, as `#rrggbb`. */
export function mixColors(over: string, under: string, share: number): string {
  const [a, b] = [channels(over), channels(under)];
  const mixed = a.map((value, n) => Math.round(value * share + (b[n] ?? 0) * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** How far apart two colours are, from 1 to 21 (WCAG 2). */
export function contrastOf(one: string, other: string): number {
  const [light = 1, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Of `#rrggbb`, `rgb(…)` and `color(srgb …)`, as browsers write resolved colours. */
function channels(color: string): number[] {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(color);
  if (hex) return hex.slice(1, 4).map((pair) => Number.parseInt(pair, 16));
  const scale = color.startsWith('color(srgb') ? 255 : 1;
  const numbers = color.slice(color.indexOf('(') + 1).match(/[\d.]+/g) ?? [];
  return numbers.slice(0, 3).map((number) => Number(number) * scale);
}
