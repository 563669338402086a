import { useEffect, useState } from 'react';
import { text } from '../text/text.js';
import { copyText } from './copy-text.js';
import { Icon } from './icon.js';

const SHOWN_MS = 1500;

/** Copies, and says with a tick that it did. */
export function CopyButton({ text: copy, label = text.parts.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="btn btn--ghost btn--icon"
      aria-label={copied ? text.parts.copied : label}
      title={label}
      onClick={() => void copyText(copy).then(setCopied)}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}
