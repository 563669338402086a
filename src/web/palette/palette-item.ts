import type { HostPreset, Project } from '../../protocol/index.js';
import type { PageAction } from '../keys/page-actions.js';
import type { SessionView } from '../session/session-state.js';

interface ItemWords {
  /** Tells it from all others, also the next time. */
  readonly key: string;
  readonly name: string;
  /** Behind the name. */
  readonly note: string;
  /** What else it is found by. */
  readonly more?: string;
}

/** Something that the palette offers. */
export type PaletteItem = ItemWords &
  (
    | { readonly kind: 'session'; readonly view: SessionView }
    | { readonly kind: 'action'; readonly action: PageAction }
    | { readonly kind: 'project'; readonly project: Project; readonly cwd: string }
    | { readonly kind: 'preset'; readonly preset: HostPreset; readonly cwd?: string }
  );

export type PaletteKind = PaletteItem['kind'];
