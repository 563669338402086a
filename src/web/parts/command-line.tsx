import { text } from '../text/text.js';
import { CopyButton } from './copy-button.js';

/** A command to run in a terminal, with a button that copies it. `whole` never cuts it off. */
export function CommandLine({ command, whole = false }: { command: string; whole?: boolean }) {
  return (
    <div className="cmd">
      <span className="pr" aria-hidden="true">
        $
      </span>
      <span className={whole ? 'grow' : 'grow clip'}>{command}</span>
      <CopyButton text={command} label={text.parts.copyCommand} />
    </div>
  );
}
