import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import type { FileSending, Sending } from './file-sending.js';

/** How far the files of each drop or paste are, and what can be done about those that failed. */
export function SendingNotes({ files }: { files: FileSending }) {
  return useStore(files).map((sending) =>
    sending.problem === undefined ? (
      <UnderWay key={sending.key} sending={sending} onCancel={() => files.letGo(sending.key)} />
    ) : (
      <NotSent key={sending.key} sending={sending} files={files} />
    ),
  );
}

/** The meter tells a screen reader how far it is when that is asked for: said at each step, it would drown all else. */
function UnderWay({ sending: { name, sent }, onCancel }: { sending: Sending; onCancel: () => void }) {
  const words = text.pane.files;
  const label = words.sending(visibleText(name));
  return (
    <div className="note">
      <Icon name="up" />
      <span className="clip" role="status">
        {label}
      </span>
      <progress className="meter note__meter" value={sent} max={1} aria-label={label} />
      <span className="num note__part" aria-hidden="true">
        {words.percent(sent)}
      </span>
      <button type="button" className="btn btn--sm" onClick={onCancel}>
        {words.cancel}
      </button>
    </div>
  );
}

function NotSent({ sending: { key, name, problem = '' }, files }: { sending: Sending; files: FileSending }) {
  const words = text.pane.files;
  return (
    <div className="note" role="alert">
      <Icon name="up" />
      <span className="grow">
        <b>{words.notSent(visibleText(name))}</b> <span className="fg2">{visibleText(problem)}</span>
      </span>
      <button type="button" className="btn btn--sm" onClick={() => void files.again(key)}>
        {words.again}
      </button>
      <button type="button" className="btn btn--ghost btn--icon" aria-label={text.parts.dismiss} onClick={() => files.letGo(key)}>
        <Icon name="x" small />
      </button>
    </div>
  );
}
