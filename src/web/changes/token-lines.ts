/** A piece of a line in one colour; `color` is the class of its kind of token. */
export interface Token {
  readonly text: string;
  readonly color?: string;
}

/** What this needs to know of a tree of tokens. */
export interface TokenNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly TokenNode[];
}

/** The tokens of each line of a text. One that spans lines, such as a comment, is in all of them. */
export function tokenLines(root: TokenNode): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  collect(root, undefined, lines);
  return lines;
}

function collect(node: TokenNode, color: string | undefined, lines: Token[][]): void {
  if (node.type === 'text') append(node.value ?? '', color, lines);
  const own = classOf(node) ?? color;
  for (const child of node.children ?? []) collect(child, own, lines);
}

function append(text: string, color: string | undefined, lines: Token[][]): void {
  for (const [at, part] of text.split('\n').entries()) {
    if (at > 0) lines.push([]);
    if (part !== '') lines.at(-1)?.push(color === undefined ? { text: part } : { text: part, color });
  }
}

/** Tokens have a class of their kind, and some more that say how they are used. */
function classOf({ properties }: TokenNode): string | undefined {
  const names = properties?.className;
  return Array.isArray(names) && typeof names[0] === 'string' ? names[0] : undefined;
}
