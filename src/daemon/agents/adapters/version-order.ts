/** True when `version` is `least` or newer. Only the three numbers count; a version that has none is not. */
export function isAtLeast(version: string | undefined, least: string): boolean {
  const [own, bound] = [numbersOf(version), numbersOf(least)];
  if (own === undefined || bound === undefined) return false;
  const index = own.findIndex((number, place) => number !== bound[place]);
  return index < 0 || (own[index] ?? 0) > (bound[index] ?? 0);
}

function numbersOf(version: string | undefined): number[] | undefined {
  const match = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?![\d.])/.exec(version ?? '');
  return match?.slice(1).map(Number);
}
