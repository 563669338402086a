import { useState } from 'react';
import type { Salvage } from '../../protocol/index.js';
import { useHost } from '../app/use-host.js';
import { formatBytes } from '../changes/file-words.js';
import { PathText, PlainText } from '../changes/plain-text.js';
import { Icon } from '../parts/icon.js';
import { formatAge } from '../session/age.js';
import { shortPath } from '../session/project.js';
import { ConfirmLine } from './confirm-line.js';
import { countText } from './inventory-words.js';
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
        {salvage.missing === true && <span className="chip chip--dead">gone</span>}
        <span className="grow" />
        {salvage.missing !== true && (
          <button
            type="button"
            className="btn btn--sm"
            disabled={busy}
            aria-label={`Restore ${name}`}
            onClick={() => {
              setProblem(undefined);
              restore.mutate(undefined);
            }}
          >
            {restore.isPending ? 'Restoring…' : 'Restore'}
          </button>
        )}
        <button
          type="button"
          className="btn btn--ghost btn--sm"
          aria-expanded={asks}
          disabled={busy}
          aria-label={`Drop ${name}`}
          onClick={() => setAsks(!asks)}
        >
          Drop…
        </button>
      </div>
      <SalvageFacts salvage={salvage} />
      {asks && (
        <ConfirmLine
          question={`Drop ${name}? Nothing brings it back.`}
          verb="Drop"
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
  return (
    <>
      <div className="small fg3">
        <span className="mono">
          <PathText path={path} />
        </span>
      </div>
      <p className="small fg2">
        {missing === true ? (
          'Its ref or its repository is not there any more; nothing can be restored.'
        ) : (
          <>
            {`${countText(files_total, 'file')}, ${formatBytes(bytes)}`}
            {branch !== undefined && (
              <>
                {', on '}
                <span className="mono">
                  <PlainText text={branch} />
                </span>
              </>
            )}
            {`, saved ${formatAge(now - Date.parse(created_at))} ago, ${keptFor(expires_at, now)}`}
          </>
        )}
      </p>
    </>
  );
}
