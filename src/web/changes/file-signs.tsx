import type { DiffFile, FileStatus } from '../../protocol/index.js';
import { text } from '../text/text.js';
import { statusWords } from './file-words.js';

/** What became of a file, as a letter. */
export function StatusLetter({ status }: { status: FileStatus }) {
  const { letter, label } = statusWords(status);
  return (
    <span className={`fstat fstat--${status}`} role="img" aria-label={label} title={label}>
      {letter}
    </span>
  );
}

/** How many lines came and went; nothing where that is not known. */
export function Counts({ file: { additions, deletions, binary } }: { file: Pick<DiffFile, 'additions' | 'deletions' | 'binary'> }) {
  if (binary) return <span className="counts fg3">{text.changes.binary}</span>;
  if (additions === undefined && deletions === undefined) return null;
  return (
    <span className="counts num">
      {additions !== undefined && additions > 0 && <span className="add">+{additions.toLocaleString('en')}</span>}
      {deletions !== undefined && deletions > 0 && <span className="del">−{deletions.toLocaleString('en')}</span>}
    </span>
  );
}
