import type { Diff, DiffAgainst } from '../../protocol/index.js';
import { usePageParts } from '../app/parts-context.js';
import { Icon } from '../parts/icon.js';
import { IconButton } from '../parts/icon-button.js';
import { Segments } from '../parts/segments.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { Counts } from './file-signs.js';
import { distanceText } from './git-words.js';
import { PlainText } from './plain-text.js';

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

/** What is compared with what, how much differs, and how it is shown. */
export function ChangesHead({ diff, against, onAgainst, staleness, canSplit, isFetching, onRefresh }: ChangesHeadProps) {
  const { diffMode } = usePageParts().preferences;
  const mode = useStore(diffMode);
  const { base, head, unified, split, compareWith, refresh } = text.changes;
  return (
    <header className="chead">
      {diff !== undefined && <Facts diff={diff} />}
      {diff !== undefined && staleness !== undefined && (
        <span className="chip" role="status" title={staleness}>
          {text.changes.maybeOld}
        </span>
      )}
      <span className="grow" />
      {onAgainst !== undefined && <Segments label={compareWith} value={against} choices={{ base, head }} onChoose={onAgainst} />}
      {canSplit && (
        <Segments label={text.changes.view} value={mode} choices={{ unified, split }} onChoose={(choice) => diffMode.set(choice)} />
      )}
      <IconButton icon="restart" label={refresh} chord="r" disabled={isFetching} onClick={onRefresh} />
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
        <b className="clip">{branch === undefined ? text.changes.detached : <PlainText text={branch} />}</b>
      </span>
      <span className="num chead__total">
        {text.changes.files(files_total)} <Counts file={{ additions, deletions, binary: false }} />
      </span>
      {distance !== '' && <span className="clip fg3">{distance}</span>}
      {operation !== undefined && <span className="chip">{text.changes.underWay[operation]}</span>}
    </div>
  );
}
