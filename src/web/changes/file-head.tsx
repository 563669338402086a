import type { DiffFile } from '../../protocol/index.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import { Counts, StatusLetter } from './file-signs.js';
import { PathText, PlainText } from './plain-text.js';
import type { RowActions } from './use-file-diffs.js';

interface FileHeadProps {
  readonly file: DiffFile;
  readonly isOpen: boolean;
  readonly actions: RowActions;
}

/** Stands above a file's hunks, and folds them away. */
export function FileHead({ file, isOpen, actions }: FileHeadProps) {
  const { path, old_path } = file;
  return (
    <div className="dfile">
      <button type="button" className="dfile__fold" aria-expanded={isOpen} onClick={() => actions.setOpen(path, !isOpen)}>
        <Icon name="down" className="chev" />
        <StatusLetter status={file.status} />
        {old_path !== undefined && old_path !== path && (
          <span className="dfile__old clip">
            <PlainText text={old_path} /> →
          </span>
        )}
        <PathText path={path} />
      </button>
      <Counts file={file} />
      {hasLines(file) && (
        <button
          type="button"
          className="btn btn--ghost btn--icon btn--sm"
          aria-label={text.changes.moreLines}
          title={`${text.changes.moreContext}  e`}
          onClick={() => actions.expand(path)}
        >
          <Icon name="unfold" />
        </button>
      )}
    </div>
  );
}

function hasLines({ binary, additions = 0, deletions = 0 }: DiffFile): boolean {
  return !binary && additions + deletions > 0;
}
