import { createElement, Fragment, type ReactNode } from 'react';

/** Makes a part of a sentence look otherwise, such as a command or what is stressed. */
export type Marked = (words: string) => ReactNode;

/** A sentence with elements in it, for catalogues: phrase`Cut off since ${clock}.` */
export function phrase(words: readonly string[], ...parts: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...words.flatMap((word, at) => [word, parts[at]]));
}
