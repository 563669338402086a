import { flushSync } from 'react-dom';
import { openBeside, openSession } from '../app/open-session.js';
import type { CreateWish } from '../app/opened-dialog.js';
import { usePageParts } from '../app/parts-context.js';
import type { PageCommands } from '../keys/page-commands.js';
import { focusTerminal } from '../parts/focus-terminal.js';
import type { SessionView } from '../session/session-state.js';
import type { PaletteItem } from './palette-item.js';
import { withRecent } from './recent.js';

interface ChosenOptions {
  readonly commands: PageCommands;
  /** The session that the actions are about, where it need not be the one in view. */
  readonly subject: SessionView | undefined;
  readonly onCreate: (wish: CreateWish) => void;
}

/** Does what was chosen; a session can also be shown beside what is there. */
export function useChosen({ commands, subject, onCreate }: ChosenOptions): (item: PaletteItem, beside: boolean) => void {
  const { recent } = usePageParts().preferences;
  return (item, beside) => {
    if (item.kind !== 'session') recent.set(withRecent(recent.value, item.key)); // a session counts when it is shown
    switch (item.kind) {
      case 'session':
        if (beside) openBeside(item.view.session.id);
        else openSession(item.view.session.id);
        return focusTerminal();
      case 'action':
        // What carries it out belongs to the session's view.
        if (subject !== undefined) flushSync(() => openSession(subject.session.id));
        return void commands.run(item.action);
      case 'project':
        return onCreate({ cwd: item.cwd });
      case 'preset':
        return onCreate({ preset: item.preset.id, cwd: item.cwd });
    }
  };
}
