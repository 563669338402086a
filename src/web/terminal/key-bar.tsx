import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import { HoldKey, Key, LatchKey, RepeatKey } from './key-button.js';
import { type ArrowKey, arrowSequence, withModifiers } from './key-sequence.js';
import type { ModifierLatch } from './modifier-latch.js';
import type { TerminalScreen } from './terminal-screen.js';

/** The key that introduces a command to the page. A tap shows what there is to choose; the program gets the key when it is held. */
export interface BarLeader {
  /** As it stands on the key: `^B`. */
  readonly label: string;
  /** What it sends. */
  readonly sequence: string;
  readonly onTap: () => void;
}

interface KeyBarProps {
  readonly screen: TerminalScreen;
  readonly latch: ModifierLatch;
  readonly leader: BarLeader | undefined;
  readonly onPaste: (text: string) => void;
  readonly onPasteProblem: (text: string) => void;
}

/** The keys that a phone's keyboard lacks. */
export function KeyBar({ screen, latch, leader, onPaste, onPasteProblem }: KeyBarProps) {
  const send = (typed: string) => screen.send(withModifiers(typed, latch.take()));
  const { keys } = text.terminal;
  return (
    <div className="keybar" role="toolbar" aria-label={keys.bar}>
      <div className="keys">
        <Key onPress={() => send('\u001b')}>{keys.escape}</Key>
        <Key onPress={() => send('\t')}>{keys.tab}</Key>
        <LatchKey name="ctrl" label={keys.ctrl} latch={latch} />
        <LatchKey name="alt" label={keys.alt} latch={latch} />
        <Key label={keys.controlC} onPress={() => screen.send('\u0003')}>
          ^C
        </Key>
        {leader !== undefined && (
          <HoldKey label={keys.leader(leader.label)} onPress={leader.onTap} onHold={() => screen.send(leader.sequence)}>
            {leader.label}
          </HoldKey>
        )}
        <Key label={keys.paste} onPress={() => void paste(onPaste, onPasteProblem)}>
          <Icon name="paste" />
        </Key>
        <Key label={keys.keyboard} onPress={() => toggleKeyboard(screen)}>
          <Icon name="keyboard" />
        </Key>
      </div>
      <div className="keys">
        <ArrowKeys screen={screen} latch={latch} />
        <Key onPress={() => send('1')}>1</Key>
        <Key onPress={() => send('2')}>2</Key>
        <Key onPress={() => send('3')}>3</Key>
        <Key onPress={() => send('\r')}>{keys.enter}</Key>
      </div>
    </div>
  );
}

const ARROWS = { left: '←', down: '↓', up: '↑', right: '→' } as const satisfies Record<ArrowKey, string>;

function ArrowKeys({ screen, latch }: Pick<KeyBarProps, 'screen' | 'latch'>) {
  const press = (key: ArrowKey) => screen.send(arrowSequence(key, latch.take(), screen.terminal.modes.applicationCursorKeysMode));
  return (['left', 'down', 'up', 'right'] as const).map((key) => (
    <RepeatKey key={key} label={text.terminal.keys[key]} onPress={() => press(key)}>
      {ARROWS[key]}
    </RepeatKey>
  ));
}

/** Hides the keyboard on the screen, or brings it. */
function toggleKeyboard(screen: TerminalScreen): void {
  const { textarea } = screen.terminal;
  if (document.activeElement === textarea) textarea?.blur();
  else screen.focus();
}

async function paste(onText: (text: string) => void, onProblem: (text: string) => void): Promise<void> {
  try {
    onText(await navigator.clipboard.readText());
  } catch {
    onProblem(text.terminal.noClipboard);
  }
}
