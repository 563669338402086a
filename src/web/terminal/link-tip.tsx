import { MOD_KEY } from '../keys/chords.js';
import { CopyButton } from '../parts/copy-button.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import type { TerminalLink } from './terminal-links.js';

/** Where the link under the pointer leads. */
export function LinkTip({ link, onDismiss }: { link: TerminalLink; onDismiss: () => void }) {
  const { target, pinned, isLow } = link;
  return (
    <div className={`linktip${pinned ? ' is-pinned' : ''}${isLow ? ' is-high' : ''}`} role="status">
      <span className={`linktip__target${pinned ? '' : ' clip'}`}>{target}</span>
      {pinned ? (
        <>
          <a className="btn btn--primary btn--sm" href={target} target="_blank" rel="noopener noreferrer" onClick={onDismiss}>
            <Icon name="open" small />
            {text.terminal.open}
          </a>
          <CopyButton text={target} label={text.terminal.copyAddress} />
          <button type="button" className="btn btn--ghost btn--icon" aria-label={text.parts.close} onClick={onDismiss}>
            <Icon name="x" small />
          </button>
        </>
      ) : (
        <span className="kbd">{text.terminal.follow(MOD_KEY)}</span>
      )}
    </div>
  );
}
