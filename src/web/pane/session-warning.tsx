import { asSentence } from '../app/error-text.js';
import { Icon } from '../parts/icon.js';

/** Why a session needs a look, such as a record that was lost. */
export function SessionWarning({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <div className="notice" role="status">
      <Icon name="help" />
      {asSentence(text)}
    </div>
  );
}
