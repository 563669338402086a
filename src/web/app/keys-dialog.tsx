import { CHANGES_KEYS } from '../changes/use-changes-keys.js';
import { Dialog } from '../parts/dialog.js';
import { findChord, IS_APPLE, LEADER_ACTIONS, type Leader, leaderLabel, type PageAction } from './chords.js';

const MEANINGS: Readonly<Record<PageAction, string>> = {
  new: 'New session',
  next_waiting: 'Next session that waits',
  jump: 'Jump to a session',
  find: 'Find in the terminal',
  sidebar: 'Show or hide the sidebar',
  changes: 'Changes, or back to the terminal',
  rename: 'Rename',
  restart: 'Restart',
  stop: 'Stop',
  kill: 'Kill',
  copy_attach: 'Copy the attach command',
  keys: 'This list',
};

/** What the page does by keyboard. Every other key is the program's. */
export function KeysDialog({ leader, onClose }: { leader: Leader | undefined; onClose: () => void }) {
  return (
    <Dialog narrow title="Keys" onClose={onClose}>
      <div className="dialog__body">
        <dl className="keylist">
          {leader !== undefined &&
            Object.entries(LEADER_ACTIONS).map(([key, action]) => (
              <Line key={key} keys={[leaderLabel(leader), key]} text={MEANINGS[action]} />
            ))}
          {leader !== undefined && (
            <Line keys={[leaderLabel(leader), leaderLabel(leader)]} text={`Send ${leaderLabel(leader)} to the program`} />
          )}
          <Line keys={[findChord(IS_APPLE)]} text={MEANINGS.find} />
          {IS_APPLE && <Line keys={['⌘K']} text={MEANINGS.jump} />}
          <Line keys={['↵']} text="Start a session that has ended" />
        </dl>
        <p className="hint">Every other key goes to the program in the terminal.</p>
        <h3 className="label">In the changes</h3>
        <dl className="keylist">
          {CHANGES_KEYS.map(([key, text]) => (
            <Line key={key} keys={[key]} text={text} />
          ))}
        </dl>
      </div>
    </Dialog>
  );
}

function Line({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <>
      <dt>
        {keys.map((key, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of keys, and the same key may come twice.
          <kbd key={at} className="kbd">
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  );
}
