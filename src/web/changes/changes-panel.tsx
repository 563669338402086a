import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Diff, type DiffAgainst, MaestroError, type Session } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { usePageParts } from '../app/parts-context.js';
import { navigate, sessionHref } from '../app/route.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { Skeleton } from '../parts/skeleton.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { ChangesHead } from './changes-head.js';
import { ChangesProblem } from './changes-problem.js';
import { ChangesSide } from './changes-side.js';
import { type DiffLayout, type DiffMode, DiffRows } from './diff-rows.js';
import { DiffScroll, type DiffScroller } from './diff-scroll.js';
import { matchesFilter } from './file-words.js';
import { useChangesKeys, useLeaveKey } from './use-changes-keys.js';
import { useDiff } from './use-diff.js';
import { type FileDiffs, useFileDiffs } from './use-file-diffs.js';
import { useMedia } from './use-media.js';

/** Two columns of lines need this much. */
const SPLIT_ROOM = '(min-width: 1100px)';

interface ChangesPanelProps {
  readonly session: Session;
  readonly commands: PageCommands;
}

/** What changed in the session's directory. */
export function ChangesPanel({ session, commands }: ChangesPanelProps) {
  const ownsWorktree = session.worktree !== undefined;
  const [against, setAgainst] = useState<DiffAgainst>(ownsWorktree ? 'base' : 'head');
  const answer = useDiff(session, against);
  const canSplit = useMedia(SPLIT_ROOM);
  useLeaveKey(() => leave(session));
  const refresh = () => void answer.refetch();
  const { data: diff, error } = answer;
  // What was answered before stays while nobody answers; a refusal means that it holds no more.
  const problem = diff === undefined || error instanceof MaestroError ? error : null;
  return (
    <section className="panel changes" aria-label={text.changes.changes}>
      <ChangesHead
        diff={problem === null ? diff : undefined}
        staleness={error === null ? undefined : errorText(error)}
        against={against}
        onAgainst={ownsWorktree ? setAgainst : undefined}
        canSplit={canSplit && problem === null}
        isFetching={answer.isFetching}
        onRefresh={refresh}
      />
      {problem !== null ? (
        <ChangesProblem error={problem} onRetry={refresh} onLeave={() => leave(session)} />
      ) : diff === undefined ? (
        <div className="panel__wait">
          <Skeleton rows={9} label={text.workspace.loading} />
        </div>
      ) : (
        <ChangesBody
          key={against}
          session={session}
          diff={diff}
          listedAt={answer.dataUpdatedAt}
          canSplit={canSplit}
          commands={commands}
          onRefresh={refresh}
        />
      )}
    </section>
  );
}

function leave({ id }: Session): void {
  navigate(sessionHref(id));
}

interface ChangesBodyProps {
  readonly session: Session;
  readonly diff: Diff;
  readonly listedAt: number;
  readonly canSplit: boolean;
  readonly commands: PageCommands;
  readonly onRefresh: () => void;
}

function ChangesBody({ session, diff, listedAt, canSplit, commands, onRefresh }: ChangesBodyProps) {
  const [filter, setFilter] = useState('');
  const [top, setTop] = useState(0);
  const [isListed, setListed] = useState(false);
  const scroller = useRef<DiffScroller>(null);
  const body = useRef<HTMLDivElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const { diffMode } = usePageParts().preferences;
  const mode = useStore(diffMode);
  const shown = useDiffLayout(diff, { filter, mode: canSplit ? mode : 'unified', listedAt, id: session.id });
  const { layout, actions } = shown;
  const focusDiff = useCallback(() => body.current?.querySelector<HTMLElement>('.diff')?.focus({ preventScroll: true }), []);
  const find = () => {
    setListed(true);
    filterField.current?.focus();
  };
  useCommands(commands, { find });
  useChangesKeys({
    nextFile: () => scroller.current?.stepFile(1),
    previousFile: () => scroller.current?.stepFile(-1),
    nextChange: () => scroller.current?.stepHunk(1),
    previousChange: () => scroller.current?.stepHunk(-1),
    expand: () => actions.expand(layout.files[top]?.path ?? ''),
    turn: () => canSplit && diffMode.set(mode === 'split' ? 'unified' : 'split'),
    filter: find,
    refresh: onRefresh,
  });
  useEffect(focusDiff, [focusDiff]);
  useEffect(() => {
    if (filter !== '') scroller.current?.goToFile(0);
  }, [filter]);
  const goToFile = (file: number) => {
    setListed(false);
    scroller.current?.goToFile(file);
    focusDiff();
  };
  return (
    <div ref={body} className={`changes__body${isListed ? ' is-listed' : ''}`}>
      <ChangesSide
        diff={diff}
        files={layout.files}
        current={top}
        filter={filter}
        filterField={filterField}
        isListed={isListed}
        onFilter={setFilter}
        onChoose={goToFile}
        onLeave={focusDiff}
        onList={() => setListed(!isListed)}
      />
      {diff.files_total === 0 ? (
        <NoChanges diff={diff} />
      ) : (
        <DiffScroll layout={layout} actions={actions} scroller={scroller} onTop={setTop} onNear={actions.ask} />
      )}
    </div>
  );
}

interface LayoutOptions {
  readonly id: string;
  readonly listedAt: number;
  readonly filter: string;
  readonly mode: DiffMode;
}

function useDiffLayout(diff: Diff, { id, listedAt, filter, mode }: LayoutOptions): { layout: DiffLayout; actions: FileDiffs } {
  const actions = useFileDiffs({ id, against: diff.against, listedAt });
  const [rows] = useState(() => new DiffRows());
  const files = useMemo(() => diff.files.filter((file) => matchesFilter(file, filter)), [diff.files, filter]);
  const layout = useMemo(() => rows.layOut(files, mode, actions.stateOf), [rows, files, mode, actions.stateOf]);
  const { ask, expand, retry, setOpen, stateOf } = actions;
  return { layout, actions: useMemo(() => ({ ask, expand, retry, setOpen, stateOf }), [ask, expand, retry, setOpen, stateOf]) };
}

function NoChanges({ diff: { against } }: { diff: Diff }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of this view need a place for the focus.
    <section className="diff problem" tabIndex={0} aria-label={text.changes.differences}>
      <h2 className="strong">{text.changes.none.title}</h2>
      <p className="fg2">{text.changes.none[against]}</p>
    </section>
  );
}
