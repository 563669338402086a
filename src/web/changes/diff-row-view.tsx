import { memo } from 'react';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import type { DiffHunk, DiffLine } from './diff-lines.js';
import type { DiffRow } from './diff-rows.js';
import { FileHead } from './file-head.js';
import { LineText } from './line-text.js';
import { PlainText } from './plain-text.js';
import type { RowActions } from './use-file-diffs.js';

/** One row of the files under each other. */
export const DiffRowView = memo(function DiffRowView({ row, actions }: { row: DiffRow; actions: RowActions }) {
  switch (row.kind) {
    case 'file':
      return <FileHead file={row.file} isOpen={row.isOpen} actions={actions} />;
    case 'line':
      return <UnifiedLine line={row.line} />;
    case 'pair':
      return <SplitLine left={row.left} right={row.right} />;
    case 'hunk':
      return <HunkHead hunk={row.hunk} onExpand={() => actions.expand(row.path)} />;
    case 'pending':
      return <Pending lines={row.lines} />;
    case 'text':
      return <p className="dtext">{row.text}</p>;
    case 'large':
      return (
        <p className="dtext">
          {text.changes.large(row.lines)}
          <button type="button" className="btn btn--sm" onClick={() => actions.setOpen(row.path, true)}>
            {text.changes.showIt}
          </button>
        </p>
      );
    case 'failed':
      return (
        <p className="dtext" role="alert">
          <PlainText text={row.text} />
          <button type="button" className="btn btn--sm" onClick={() => actions.retry(row.path)}>
            {text.changes.tryAgain}
          </button>
        </p>
      );
  }
});

const SIGNS = { ' ': '', '+': ' dl--add', '-': ' dl--del' } as const;
const SHOWN_SIGNS = { ' ': '\u00a0', '+': '+', '-': '\u2212' } as const;

function UnifiedLine({ line }: { line: DiffLine }) {
  return (
    <div className={`dl${SIGNS[line.sign]}`}>
      <span className="dl__no">{line.old}</span>
      <span className="dl__no">{line.now}</span>
      <span className="dl__sign">{SHOWN_SIGNS[line.sign]}</span>
      <LineText line={line} />
    </div>
  );
}

function SplitLine({ left, right }: { left: DiffLine | undefined; right: DiffLine | undefined }) {
  return (
    <div className="dl dl--split">
      <Half line={left} number={left?.old} />
      <Half line={right} number={right?.now} />
    </div>
  );
}

function Half({ line, number }: { line: DiffLine | undefined; number: number | undefined }) {
  if (line === undefined) return <div className="dl__half is-none" />;
  return (
    <div className={`dl__half${SIGNS[line.sign]}`}>
      <span className="dl__no">{number}</span>
      <span className="dl__sign">{SHOWN_SIGNS[line.sign]}</span>
      <LineText line={line} />
    </div>
  );
}

function HunkHead({ hunk, onExpand }: { hunk: DiffHunk; onExpand: () => void }) {
  return (
    <div className="dhunk">
      <button
        type="button"
        className="dhunk__more"
        aria-label={text.changes.moreLines}
        title={`${text.changes.moreContext}  e`}
        onClick={onExpand}
      >
        <Icon name="unfold" small />
      </button>
      <span className="dhunk__range num">{hunk.range}</span>
      <span className="dhunk__section clip">
        <PlainText text={hunk.section} />
      </span>
    </div>
  );
}

/** As high as the lines will probably be, so that little moves when they come. */
function Pending({ lines }: { lines: number }) {
  return (
    <div className="dpending" aria-busy="true" ref={(element) => element?.style.setProperty('height', `calc(${lines} * var(--diff-lh))`)} />
  );
}
