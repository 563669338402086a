import { CreateDialog } from '../create/create-dialog.js';
import type { Leader } from '../keys/chords.js';
import { KeysDialog } from '../keys/keys-dialog.js';
import { shortPath } from '../session/project.js';
import type { SessionView } from '../session/session-state.js';
import { SettingsDialog } from '../settings/settings-dialog.js';
import { WorktreesDialog } from '../worktrees/worktrees-dialog.js';
import { showNewSession } from './open-session.js';
import { useConnection, usePageParts } from './parts-context.js';
import { useHost } from './use-host.js';

/** What a new session shall be, as far as it was said when it was asked for. */
export interface CreateWish {
  readonly preset?: string | undefined;
  /** Short, as people write it. */
  readonly cwd?: string | undefined;
}

/** What an opened dialog of the workspace is for, beside the palette. */
export type Opened = { readonly kind: 'create'; readonly wish: CreateWish } | { readonly kind: 'keys' | 'settings' | 'worktrees' };

export interface OpenedDialogProps {
  readonly opened: Opened;
  readonly views: readonly SessionView[];
  readonly current: SessionView | undefined;
  readonly leader: Leader | undefined;
  readonly onClose: () => void;
}

/** A dialog of the page as a whole. */
export function OpenedDialog({ opened, views, current, leader, onClose }: OpenedDialogProps) {
  switch (opened.kind) {
    case 'create':
      return <Create wish={opened.wish} views={views} current={current} onClose={onClose} />;
    case 'keys':
      return <KeysDialog leader={leader} onClose={onClose} />;
    case 'settings':
      return <SettingsDialog onClose={onClose} />;
    case 'worktrees':
      return <WorktreesDialog onClose={onClose} />;
  }
}

interface CreateProps {
  readonly wish: CreateWish;
  readonly views: readonly SessionView[];
  readonly current: SessionView | undefined;
  readonly onClose: () => void;
}

function Create({ wish, views, current, onClose }: CreateProps) {
  const { room } = useConnection();
  const { lastCwd } = usePageParts().preferences;
  const home = useHost()?.home;
  const places = [...new Set(views.map(({ project }) => shortPath(project.path, home)))].sort((a, b) => a.localeCompare(b));
  const here = current === undefined ? undefined : shortPath(current.project.path, home);
  return (
    <CreateDialog
      preset={wish.preset}
      cwd={wish.cwd ?? here ?? (lastCwd.value || '~')}
      places={places}
      size={room.size}
      onClose={onClose}
      onCreated={({ id }) => {
        onClose();
        showNewSession(id);
      }}
    />
  );
}
