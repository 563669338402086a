import type { Session, Size } from '../../protocol/index.js';
import { useHost, usePresets } from '../app/use-host.js';
import { GitBadge } from '../changes/git-badge.js';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { shortPath } from '../session/project.js';
import { programLabel } from '../session/session-note.js';
import { text } from '../text/text.js';

interface StatusLineProps {
  readonly session: Session;
  /** What the program calls itself. */
  readonly title?: string;
  /** The leader, while it waits for its key. */
  readonly leading?: string | undefined;
  readonly size: Size;
  readonly whose: string;
  readonly onTakeOver?: (() => void) | undefined;
}

/** The pane's foot: where the session runs, what runs, and how large it is. */
export function StatusLine({ session, title = '', leading, size, whose, onTakeOver }: StatusLineProps) {
  const { home, host_name } = useHost() ?? {};
  const presets = usePresets();
  const { cwd } = session;
  return (
    <footer className="status">
      {leading !== undefined && <b className="kbd">{leading} …</b>}
      <GitBadge session={session} />
      <span className="mono clip" title={visibleText(cwd)}>
        {visibleText(shortPath(cwd, home))}
      </span>
      {title !== '' && title !== host_name && (
        <span className="clip fg3" title={title}>
          {title}
        </span>
      )}
      <span className="grow" />
      <span className="status__program clip">{programLabel(session, presets)}</span>
      <span className="status__size num">
        <Icon name="size" />
        {size.cols} × {size.rows} {whose}
      </span>
      {onTakeOver !== undefined && (
        <button type="button" className="status__take" onClick={onTakeOver}>
          {text.pane.size.takeOver}
        </button>
      )}
    </footer>
  );
}
