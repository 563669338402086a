import { usePageParts } from '../app/parts-context.js';
import type { Route } from '../app/route.js';
import { useStore } from '../parts/store.js';

interface SidebarPlace {
  readonly isShown: boolean;
  readonly toggle: () => void;
  /** As CSS has it; undefined for the usual one. */
  readonly width: string | undefined;
}

/** Whether the sidebar is shown, and how wide. The wall goes without it unless it is wanted there. */
export function useSidebarPlace({ page }: Route): SidebarPlace {
  const { sidebarHidden, sidebarWidth, wallSidebar } = usePageParts().preferences;
  const isHidden = useStore(sidebarHidden);
  const isOnWall = useStore(wallSidebar);
  const width = useStore(sidebarWidth);
  const preference = page === 'wall' ? wallSidebar : sidebarHidden;
  return {
    isShown: page === 'wall' ? isOnWall : !isHidden,
    toggle: () => preference.set(!preference.value),
    width: width === 0 ? undefined : `min(${width}px, 45vw)`,
  };
}
