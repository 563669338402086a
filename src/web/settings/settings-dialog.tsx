import { AttentionSettings } from '../attention/attention-settings.js';
import { Dialog } from '../parts/dialog.js';
import { text } from '../text/text.js';
import { LanguageSettings } from './language-settings.js';
import { LookSettings } from './look-settings.js';
import { TerminalSettings } from './terminal-settings.js';

/** All that can be set up in this browser. What is changed counts at once. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.settings.title} onClose={onClose}>
      <div className="dialog__body settings">
        <LookSettings />
        <AttentionSettings />
        <TerminalSettings />
        <LanguageSettings />
      </div>
      <div className="dialog__foot">
        <span className="grow">{text.settings.stays}</span>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={onClose}>
          {text.settings.done}
        </button>
      </div>
    </Dialog>
  );
}
