import type { KeyboardEvent } from 'react';

/** What the list does with the keys of the field; answers whether it knew one. */
export type PaletteKeys = (event: KeyboardEvent) => boolean;

/** What the field tells of the list. */
export interface ListState {
  /** The id of the option that is pointed at. */
  readonly active: string | undefined;
  readonly count: number;
}
