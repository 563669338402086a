import { useState } from 'react';
import type { WorktreeEntry } from '../../protocol/index.js';
import { asSentence } from '../app/error-text.js';
import { sessionHref } from '../app/route.js';
import { useHost } from '../app/use-host.js';
import { PathText, PlainText } from '../changes/plain-text.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { visibleText } from '../parts/visible-text.js';
import { shortPath } from '../session/project.js';
import { text } from '../text/text.js';
import { ConfirmLine } from './confirm-line.js';
import { InventoryList } from './inventory-list.js';
import { holdsText } from './inventory-words.js';
import { type DoneNote, useRemoveWorktree } from './use-worktrees.js';
import { removalOf, removalQuestion } from './worktree-words.js';

interface WorktreeItemProps {
  readonly entry: WorktreeEntry;
  /** Leaves the list for a session. */
  readonly onLeave: () => void;
  readonly onDone: (note: DoneNote) => void;
}

export function WorktreeItem({ entry, onLeave, onDone }: WorktreeItemProps) {
  const [asks, setAsks] = useState(false);
  const [shows, setShows] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = useRemoveWorktree(entry, { onDone, onFailure: setProblem });
  const path = shortPath(entry.path, useHost()?.home);
  const removal = removalOf(entry);
  const confirm = () => {
    setAsks(false);
    setProblem(undefined);
    remove.mutate(removal === 'salvage');
  };
  return (
    <li className="keep">
      <div className="keep__line">
        <Icon name="branch" quiet />
        <b className="medium mono clip">
          <PlainText text={entry.branch} />
        </b>
        <span className="chip">{text.worktrees.states[entry.state]}</span>
        <SessionLink entry={entry} onLeave={onLeave} />
        <span className="grow" />
        {entry.inventory !== undefined && (
          <button
            type="button"
            className="btn btn--ghost btn--sm"
            aria-expanded={shows}
            aria-label={text.worktrees.holdsNamed(visibleText(entry.branch))}
            onClick={() => setShows(!shows)}
          >
            {text.worktrees.details}
          </button>
        )}
        {removal !== undefined && (
          <button
            type="button"
            className="btn btn--sm"
            aria-expanded={asks}
            disabled={remove.isPending}
            aria-label={text.worktrees.removeNamed(visibleText(entry.branch))}
            onClick={() => setAsks(!asks)}
          >
            {remove.isPending ? text.worktrees.removing : text.worktrees.removeIt}
          </button>
        )}
      </div>
      <div className="small fg3">
        <span className="mono">
          <PathText path={path} />
        </span>
      </div>
      <p className="small fg2">
        <PlainText text={asSentence(entry.reason)} />
        {entry.inventory?.clean === false && entry.inventory.broken === undefined && ` ${text.worktrees.holds(holdsText(entry.inventory))}`}
      </p>
      {shows && entry.inventory !== undefined && <InventoryList inventory={entry.inventory} path={path} />}
      {asks && removal !== undefined && (
        <ConfirmLine
          question={removalQuestion(entry, removal)}
          verb={removal === 'salvage' ? text.worktrees.salvageAndRemove : text.worktrees.remove}
          busy={remove.isPending}
          onYes={confirm}
          onNo={() => setAsks(false)}
        />
      )}
      <Problem text={problem} />
    </li>
  );
}

function SessionLink({ entry: { session }, onLeave }: Pick<WorktreeItemProps, 'entry' | 'onLeave'>) {
  if (session === undefined) return null;
  return (
    <Link className="textlink small clip" href={sessionHref(session.id)} onClick={onLeave}>
      <PlainText text={session.name ?? session.id.slice(0, 8)} />
    </Link>
  );
}

export function Problem({ text: problem }: { text: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p className="hint hint--error" role="alert">
      {problem}
    </p>
  );
}
