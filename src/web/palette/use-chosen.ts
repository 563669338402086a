import { openBeside, openSession } from '../app/open-session.js';
import type { CreateWish } from '../app/opened-dialog.js';
import { usePageParts } from '../app/parts-context.js';
import type { PageCommands } from '../keys/page-commands.js';
import { focusTerminal } from '../parts/focus-terminal.js';
import type { PaletteItem } from './palette-item.js';
import { withRecent } from './recent.js';

interface ChosenOptions {
  readonly commands: PageCommands;
  readonly onCreate: (wish: CreateWish) => void;
}

/** Does what was chosen; a session can also be shown beside what is there. */
export function useChosen({ commands, onCreate }: ChosenOptions): (item: PaletteItem, beside: boolean) => void {
  const { recent } = usePageParts().preferences;
  return (item, beside) => {
    if (item.kind !== 'session') recent.set(withRecent(recent.value, item.key)); // a session counts when it is shown
    switch (item.kind) {
      case 'session':
        if (beside) openBeside(item.view.session.id);
        else openSession(item.view.session.id);
        return focusTerminal();
      case 'action':
        return void commands.run(item.action);
      case 'project':
        return onCreate({ cwd: item.cwd });
      case 'preset':
        return onCreate({ preset: item.preset.id, cwd: item.cwd });
    }
  };
}
