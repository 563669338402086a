/** What stands for the worktree's own ports, the first and those after it. */
const PLACEHOLDER = /\{port(?:\+(\d{1,5}))?\}/g;

/** The placeholders of `text`, as how far from the first port they are. */
export function portOffsets(text: string): number[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, offset]) => Number(offset ?? 0));
}

/** `text` with the ports of a worktree, of which `first` is the first, in the place of `{port}` and `{port+N}`. */
export function withPorts(text: string, first: number): string {
  return text.replace(PLACEHOLDER, (_placeholder, offset?: string) => String(first + Number(offset ?? 0)));
}
