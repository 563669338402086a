import type { KillQuery, Session } from '../../protocol/index.js';
import { useHost } from '../app/use-host.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { shortPath } from '../session/project.js';
import { text } from '../text/text.js';
import { InventoryList } from '../worktrees/inventory-list.js';
import { type KillRefusal, refusalWords } from './kill-refusal.js';

interface KillRefusedProps {
  readonly session: Session;
  readonly refusal: KillRefusal;
  readonly problem: string | undefined;
  readonly busy: boolean;
  readonly onKill: (how: KillQuery) => void;
  readonly onClose: () => void;
}

/** Says that a session was not killed, what would have been lost, and how it can be killed without losing it. */
export function KillRefusedDialog({ session, refusal, problem, busy, onKill, onClose }: KillRefusedProps) {
  const { lead, keep, saves, obstacle } = refusalWords(refusal, session);
  const path = shortPath(session.worktree?.path ?? session.cwd, useHost()?.home);
  return (
    <Dialog alert title={text.pane.notKilled.title} lead={lead} onClose={onClose}>
      <div className="dialog__body">
        <InventoryList inventory={refusal.inventory} path={path} />
        <Advice saves={saves} obstacle={obstacle} />
        {problem !== undefined && (
          <p className="hint hint--error" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="dialog__foot">
        {saves !== undefined && (
          <button type="button" className="btn btn--lg btn--danger" disabled={busy} onClick={() => onKill({ force: true })}>
            {text.pane.notKilled.salvage}
          </button>
        )}
        <button type="button" className="btn btn--lg" disabled={busy} onClick={() => onKill({ keep_worktree: true })}>
          {text.pane.notKilled.keepWorktree}
        </button>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={onClose}>
          {keep}
        </button>
      </div>
    </Dialog>
  );
}

function Advice({ saves, obstacle }: { saves: string | undefined; obstacle: string | undefined }) {
  const { advice, adviceKeep } = text.pane.notKilled;
  const bold = (words: string) => <b>{words}</b>;
  return (
    <div className="advice">
      <Icon name="shield" />
      <p>
        {saves === undefined ? obstacle : advice(bold, saves)} {adviceKeep(bold)}
      </p>
    </div>
  );
}
