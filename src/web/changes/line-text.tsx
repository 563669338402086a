import { Fragment, memo, useCallback, useSyncExternalStore } from 'react';
import { text } from '../text/text.js';
import type { DiffLine } from './diff-lines.js';
import { segments } from './line-segments.js';
import { PlainText } from './plain-text.js';

/** No more of a line is drawn, in UTF-16 units. */
const SHOWN_LENGTH = 4000;

/** The text of a line, in its colours. */
export const LineText = memo(function LineText({ line }: { line: DiffLine }) {
  const { side, at, endsFile, words } = line;
  const watch = useCallback((listener: () => void) => side.watch(at, listener), [side, at]);
  const tokens = useSyncExternalStore(watch, () => side.tokens(at));
  const shown = line.text.length > SHOWN_LENGTH ? line.text.slice(0, SHOWN_LENGTH) : line.text;
  const missing = line.text.length - shown.length;
  return (
    <code className="dl__text">
      {segments(tokens ?? [{ text: shown }], words).map(({ start, text: part, color, isChange }) => (
        <Fragment key={start}>
          {color === undefined && !isChange ? (
            <PlainText text={part} />
          ) : (
            <span className={`${color ?? ''}${isChange ? ' is-change' : ''}`}>
              <PlainText text={part} />
            </span>
          )}
        </Fragment>
      ))}
      {missing > 0 && <span className="dl__note">{text.changes.moreCharacters(missing)}</span>}
      {endsFile && <span className="dl__note">{text.changes.noNewline}</span>}
    </code>
  );
});
