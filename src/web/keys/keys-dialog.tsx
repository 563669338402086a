import type { ReactNode } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { changesKeys } from '../changes/use-changes-keys.js';
import { Dialog } from '../parts/dialog.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { findChord, IS_APPLE, type Leader, leaderLabel } from './chords.js';
import { KeyRow } from './key-row.js';
import { type ActionGroup, ALL_ACTIONS, groupOfAction } from './page-actions.js';

const GROUPS: readonly ActionGroup[] = ['go', 'session', 'page'];

/** What the page does by keyboard, and where its keys are changed. Every other key is the program's. */
export function KeysDialog({ leader, onClose }: { leader: Leader | undefined; onClose: () => void }) {
  const { keys } = usePageParts().preferences;
  const isChanged = Object.keys(useStore(keys)).length > 0;
  const words = text.keys;
  return (
    <Dialog title={words.title} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard. */}
      <section className="dialog__body keysheet" tabIndex={0} aria-label={words.title}>
        {leader !== undefined &&
          GROUPS.map((group) => (
            <Group key={group} title={words.groups[group]}>
              {ALL_ACTIONS.filter((action) => groupOfAction(action) === group).map((action) => (
                <KeyRow key={action} action={action} leader={leader} />
              ))}
            </Group>
          ))}
        <Group title={words.groups.fixed}>
          {fixedKeys(leader).map(([meaning, ...chords]) => (
            <FixedRow key={meaning} meaning={meaning} chords={chords} />
          ))}
        </Group>
        <Group title={words.inChanges}>
          {changesKeys().map(([key, meaning]) => (
            <FixedRow key={key} meaning={meaning} chords={[key]} />
          ))}
        </Group>
        <p className="hint keysheet__note">{words.others}</p>
      </section>
      <div className="dialog__foot">
        <span className="grow">{words.stays}</span>
        <button type="button" className="btn btn--lg" disabled={!isChanged} onClick={() => keys.set({})}>
          {words.reset}
        </button>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={onClose}>
          {words.done}
        </button>
      </div>
    </Dialog>
  );
}

/** What cannot be changed: meanings, each with its chords. */
function fixedKeys(leader: Leader | undefined): readonly (readonly [meaning: string, ...chords: readonly string[]])[] {
  const { actions, outside, session, sendLeader, startEnded } = text.keys;
  const label = leader && leaderLabel(leader);
  return [
    ...(label === undefined ? [] : ([[session, `${label} 1…9`] as const, [sendLeader(label), `${label} ${label}`] as const] as const)),
    [actions.palette, IS_APPLE ? '⌘K' : 'Ctrl Alt K'],
    ...(IS_APPLE ? [] : ([[outside, 'Ctrl K']] as const)),
    [actions.next_waiting, IS_APPLE ? '⌃⌥N' : 'Ctrl Alt N'],
    [actions.find, findChord(IS_APPLE)],
    [startEnded, '↵'],
  ];
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="keysheet__group">
      <h3 className="label">{title}</h3>
      <ul className="keyrows">{children}</ul>
    </section>
  );
}

function FixedRow({ meaning, chords }: { meaning: string; chords: readonly string[] }) {
  return (
    <li className="keyrow">
      <span className="grow">{meaning}</span>
      {chords.map((chord) => (
        <kbd key={chord} className="kbd">
          {chord}
        </kbd>
      ))}
    </li>
  );
}
