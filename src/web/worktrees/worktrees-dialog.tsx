import { type ReactNode, useState } from 'react';
import { errorText } from '../app/error-text.js';
import { CommandLine } from '../parts/command-line.js';
import { Dialog } from '../parts/dialog.js';
import { Skeleton } from '../parts/skeleton.js';
import { text } from '../text/text.js';
import { SalvageItem } from './salvage-item.js';
import { type DoneNote, useSalvages, useWorktrees } from './use-worktrees.js';
import { Problem, WorktreeItem } from './worktree-item.js';

/** The worktrees that Maestro made, and what was saved of those that were removed by force. */
export function WorktreesDialog({ onClose }: { onClose: () => void }) {
  const worktrees = useWorktrees();
  const salvages = useSalvages();
  const [note, setNote] = useState<DoneNote>();
  return (
    <Dialog title={text.worktrees.title} onClose={onClose}>
      <div className="dialog__body">
        <div role="status">{note !== undefined && <Done note={note} />}</div>
        <KeepList title={text.worktrees.worktrees} list={worktrees} none={text.worktrees.noWorktrees}>
          {worktrees.data?.map((entry) => (
            <WorktreeItem key={entry.id} entry={entry} onLeave={onClose} onDone={setNote} />
          ))}
        </KeepList>
        <KeepList title={text.worktrees.salvage} list={salvages} none={text.worktrees.noSalvage}>
          {salvages.data?.map((salvage) => (
            <SalvageItem key={salvage.id} salvage={salvage} onDone={setNote} />
          ))}
        </KeepList>
      </div>
      <div className="dialog__foot">
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={onClose}>
          {text.parts.close}
        </button>
      </div>
    </Dialog>
  );
}

function Done({ note: { text: words, command } }: { note: DoneNote }) {
  return (
    <div className="done">
      <p>{words}</p>
      {command !== undefined && <CommandLine command={command} />}
    </div>
  );
}

interface KeepListProps {
  readonly title: string;
  readonly list: { readonly data?: readonly unknown[] | undefined; readonly error: unknown };
  readonly none: string;
  readonly children: ReactNode;
}

function KeepList({ title, list: { data, error }, none, children }: KeepListProps) {
  return (
    <section className="keeps__part" aria-label={title}>
      <div className="keeps__head">
        <h3>{title}</h3>
        {data !== undefined && data.length > 0 && <span className="fg3 small num">{data.length}</span>}
      </div>
      {error !== null && <Problem text={errorText(error)} />}
      {data === undefined && error === null && <Skeleton rows={2} label={text.worktrees.looking} />}
      {data?.length === 0 && <p className="small fg3">{none}</p>}
      {data !== undefined && data.length > 0 && <ul className="keeps">{children}</ul>}
    </section>
  );
}
