import type { KeyboardEvent, RefObject } from 'react';
import type { Diff, DiffFile } from '../../protocol/index.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import { CommitList } from './commit-list.js';
import { FileList } from './file-list.js';
import { Counts, StatusLetter } from './file-signs.js';
import { PathText } from './plain-text.js';

interface ChangesSideProps {
  readonly diff: Diff;
  /** Those that the filter lets through. */
  readonly files: readonly DiffFile[];
  readonly current: number;
  readonly filter: string;
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** On a phone, the list covers the lines. */
  readonly isListed: boolean;
  readonly onFilter: (filter: string) => void;
  readonly onChoose: (file: number) => void;
  readonly onLeave: () => void;
  readonly onList: () => void;
}

/** The files and the commits. On a phone one button stands for all of it. */
export function ChangesSide(props: ChangesSideProps) {
  const { diff, files, current, filter, filterField, isListed, onFilter, onChoose, onLeave, onList } = props;
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onChoose(0);
    else if (event.key === 'Escape') leaveFilter();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const leaveFilter = () => {
    onFilter('');
    onLeave();
  };
  const unlisted = diff.files_total - diff.files.length;
  const file = files[current];
  return (
    <>
      <button type="button" className="filepick phone-only" aria-expanded={isListed} onClick={onList}>
        {file === undefined ? (
          <span className="grow">{text.changes.filesAndCommits}</span>
        ) : (
          <>
            <StatusLetter status={file.status} />
            <PathText path={file.path} />
            <Counts file={file} />
          </>
        )}
        <span className="num fg3">{files.length > 0 && `${current + 1}/${files.length}`}</span>
        <Icon name="down" className="chev" />
      </button>
      <aside className="changes__side" aria-label={text.changes.filesAndCommits}>
        <label className="jump filefilter">
          <Icon name="search" small />
          <input
            ref={filterField}
            type="search"
            aria-label={text.changes.filterFiles}
            placeholder={text.changes.filterFiles}
            spellCheck={false}
            value={filter}
            onChange={(event) => onFilter(event.target.value)}
            onKeyDown={press}
          />
          <kbd className="kbd">/</kbd>
        </label>
        <FileList files={files} current={current} onChoose={onChoose} />
        {unlisted > 0 && <p className="files__more">{text.changes.moreFiles(unlisted)}</p>}
        <CommitList diff={diff} />
      </aside>
    </>
  );
}
