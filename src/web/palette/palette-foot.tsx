import { MOD_KEY } from '../keys/chords.js';
import { text } from '../text/text.js';

const TAB = '⇥';

/** The keys of the palette, and the signs that narrow it. */
export function PaletteFoot() {
  const { actions, choose, open, beside, scopes } = text.palette;
  return (
    <div className="finder__foot desk-only" aria-hidden="true">
      <Hint keys={['↑', '↓']} meaning={choose} />
      <Hint keys={['↵']} meaning={open} />
      <Hint keys={[`${MOD_KEY} ↵`]} meaning={beside} />
      <Hint keys={[TAB]} meaning={actions} />
      <span className="grow" />
      <Hint keys={['@']} meaning={scopes.project} />
      <Hint keys={['>']} meaning={scopes.action} />
      <Hint keys={['!']} meaning={scopes.waiting} />
    </div>
  );
}

function Hint({ keys, meaning }: { keys: readonly string[]; meaning: string }) {
  return (
    <span className="finder__hint">
      {keys.map((key) => (
        <kbd key={key} className="kbd">
          {key}
        </kbd>
      ))}
      {meaning}
    </span>
  );
}
