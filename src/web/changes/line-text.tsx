import { Fragment, memo, useCallback, useSyncExternalStore } from 'react';
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
  const text = line.text.length > SHOWN_LENGTH ? line.text.slice(0, SHOWN_LENGTH) : line.text;
  const missing = line.text.length - text.length;
  return (
    <code className="dl__text">
      {segments(tokens ?? [{ text }], words).map(({ start, text: part, color, isChange }) => (
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
      {missing > 0 && <span className="dl__note">{missing.toLocaleString('en')} more characters</span>}
      {endsFile && <span className="dl__note">no newline at end of file</span>}
    </code>
  );
});
