/** The first `limit` of any number of names, in order. Case matters only between names that differ in nothing else. */
export class SmallestNames {
  readonly #limit: number;
  readonly #names: string[] = [];
  #hasMore = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** There were more. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** False where adding `name` would change nothing. */
  wouldTake(name: string): boolean {
    return !this.#hasMore || compare(name, this.#names.at(-1) ?? '') < 0;
  }

  add(name: string): void {
    let at = this.#names.length;
    for (; at > 0 && compare(name, this.#names[at - 1] ?? '') < 0; at -= 1);
    this.#names.splice(at, 0, name);
    if (this.#names.length <= this.#limit) return;
    this.#names.pop();
    this.#hasMore = true;
  }
}

function compare(a: string, b: string): number {
  const [lowA, lowB] = [a.toLowerCase(), b.toLowerCase()];
  if (lowA !== lowB) return lowA < lowB ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
