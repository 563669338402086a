import type { Diff, DiffAgainst, GitOperation } from '../../protocol/index.js';
import { usePageParts } from '../app/parts-context.js';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { Counts } from './file-signs.js';
import { distanceText } from './git-words.js';
import { PlainText } from './plain-text.js';
import { Segments } from './segments.js';

interface ChangesHeadProps {
  readonly diff: Diff | undefined;
  readonly against: DiffAgainst;
  /** Only a worktree of the session's own has a beginning to compare with. */
  readonly onAgainst: ((against: DiffAgainst) => void) | undefined;
  /** Why the facts may be old. */
  readonly staleness: string | undefined;
  readonly canSplit: boolean;
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
}

const OPERATIONS: Readonly<Record<GitOperation, string>> = {
  merge: 'A merge',
  rebase: 'A rebase',
  cherry_pick: 'A cherry-pick',
  revert: 'A revert',
  bisect: 'A bisect',
  apply: 'An apply of patches',
};

/** What is compared with what, how much differs, and how it is shown. */
export function ChangesHead({ diff, against, onAgainst, staleness, canSplit, isFetching, onRefresh }: ChangesHeadProps) {
  const { diffMode } = usePageParts().preferences;
  const mode = useStore(diffMode);
  return (
    <header className="chead">
      {diff !== undefined && <Facts diff={diff} />}
      {diff !== undefined && staleness !== undefined && (
        <span className="chip" role="status" title={staleness}>
          May be out of date
        </span>
      )}
      <span className="grow" />
      {onAgainst !== undefined && (
        <Segments label="Compare with" value={against} choices={{ base: 'Since it began', head: 'Last commit' }} onChoose={onAgainst} />
      )}
      {canSplit && (
        <Segments label="View" value={mode} choices={{ unified: 'Unified', split: 'Split' }} onChoose={(choice) => diffMode.set(choice)} />
      )}
      <button
        type="button"
        className="btn btn--ghost btn--icon"
        aria-label="Refresh"
        title="Refresh  r"
        disabled={isFetching}
        onClick={onRefresh}
      >
        <Icon name="restart" />
      </button>
    </header>
  );
}

function Facts({ diff }: { diff: Diff }) {
  const { branch, files_total, additions, deletions, operation } = diff;
  const distance = distanceText(diff);
  return (
    <div className="chead__facts">
      <span className="chead__branch clip">
        <Icon name="branch" small />
        <b className="clip">{branch === undefined ? 'detached' : <PlainText text={branch} />}</b>
      </span>
      <span className="num chead__total">
        {files_total === 1 ? '1 file' : `${files_total.toLocaleString('en')} files`}{' '}
        <Counts file={{ additions, deletions, binary: false }} />
      </span>
      {distance !== '' && <span className="clip fg3">{distance}</span>}
      {operation !== undefined && <span className="chip">{OPERATIONS[operation]} is under way</span>}
    </div>
  );
}
