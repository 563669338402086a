import { useState } from 'react';
import type { Salvage } from '../../protocol/index.js';
import { useHost } from '../app/use-host.js';
import { formatBytes } from '../changes/file-words.js';
import { PathText, PlainText } from '../changes/plain-text.js';
import { Icon } from '../parts/icon.js';
import { formatAge } from '../session/age.js';
import { shortPath } from '../session/project.js';
import { text } from '../text/text.js';
import { ConfirmLine } from './confirm-line.js';
import { type DoneNote, useDropSalvage, useRestoreSalvage } from './use-worktrees.js';
import { Problem } from './worktree-item.js';
import { keptFor, salvageName } from './worktree-words.js';

export function SalvageItem({ salvage, onDone }: { salvage: Salvage; onDone: (note: DoneNote) => void }) {
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState<string>();
  const restore = useRestoreSalvage(salvage, { onDone, onFailure: setProblem });
  const drop = useDropSalvage(salvage, { onDone, onFailure: setProblem });
  const busy = restore.isPending || drop.isPending;
  const name = salvageName(salvage);
  return (
    <li className="keep">
      <div className="keep__line">
        <Icon name="shield" quiet />
        <b className="medium clip">{name}</b>
        <span className="fg3 small mono">{salvage.id.slice(0, 8)}</span>
        {salvage.missing === true && <span className="chip chip--dead">{text.worktrees.gone}</span>}
        <span className="grow" />
        {salvage.missing !== true && (
          <button
            type="button"
            className="btn btn--sm"
            disabled={busy}
            aria-label={text.worktrees.restoreNamed(name)}
            onClick={() => {
              setProblem(undefined);
              restore.mutate(undefined);
            }}
          >
            {restore.isPending ? text.worktrees.restoring : text.worktrees.restore}
          </button>
        )}
        <button
          type="button"
          className="btn btn--ghost btn--sm"
          aria-expanded={asks}
          disabled={busy}
          aria-label={text.worktrees.dropNamed(name)}
          onClick={() => setAsks(!asks)}
        >
          {text.worktrees.dropIt}
        </button>
      </div>
      <SalvageFacts salvage={salvage} />
      {asks && (
        <ConfirmLine
          question={text.worktrees.dropQuestion(name)}
          verb={text.worktrees.drop}
          busy={busy}
          onYes={() => {
            setAsks(false);
            setProblem(undefined);
            drop.mutate(undefined);
          }}
          onNo={() => setAsks(false)}
        />
      )}
      <Problem text={problem} />
    </li>
  );
}

function SalvageFacts({ salvage }: { salvage: Salvage }) {
  const { branch, base_repo, created_at, expires_at, files_total, bytes, missing } = salvage;
  const path = shortPath(base_repo, useHost()?.home);
  const now = Date.now();
  const what = `${text.worktrees.count.files(files_total)}, ${formatBytes(bytes)}`;
  const kept = keptFor(expires_at, now);
  const age = formatAge(now - Date.parse(created_at));
  const on = branch !== undefined && (
    <span className="mono">
      <PlainText text={branch} />
    </span>
  );
  return (
    <>
      <div className="small fg3">
        <span className="mono">
          <PathText path={path} />
        </span>
      </div>
      <p className="small fg2">
        {missing === true ? text.worktrees.salvageMissing : text.worktrees.salvageFacts({ what, branch: on, age, kept })}
      </p>
    </>
  );
}
