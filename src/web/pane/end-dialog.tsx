import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { KillQuery, Session } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { useHost } from '../app/use-host.js';
import { Dialog } from '../parts/dialog.js';
import { visibleText } from '../parts/visible-text.js';
import { type EndAction, fateOf } from '../session/fate.js';
import { sessionName } from '../session/session-name.js';
import { text } from '../text/text.js';
import { type KillRefusal, killNote, killRefusal } from './kill-refusal.js';
import { KillRefusedDialog } from './kill-refused-dialog.js';

interface EndDialogProps {
  readonly action: EndAction;
  readonly session: Session;
  /** `done`: the session was ended, and with a kill is no more. */
  readonly onClose: (done: boolean) => void;
}

/** Asks before a program is ended, and says what goes and what stays. */
export function EndDialog({ action, session, onClose }: EndDialogProps) {
  const [problem, setProblem] = useState<string>();
  const [refusal, setRefusal] = useState<KillRefusal>();
  const words = text.pane[action];
  const fate = fateOf(action, session, useHost()?.home);
  const end = useEnd(action, session, { onDone: () => onClose(true), onFailure: setProblem, onRefusal: setRefusal });
  const ask = (how: KillQuery) => {
    setProblem(undefined);
    end.mutate(how);
  };
  const keep = () => onClose(false);
  if (refusal !== undefined)
    return <KillRefusedDialog {...{ session, refusal, problem }} busy={end.isPending} onKill={ask} onClose={keep} />;
  return (
    <Dialog narrow title={words.ask(sessionName(session))} onClose={keep}>
      <div className="dialog__body">
        <dl className="fates">
          {fate.lost !== undefined && <Line term={action === 'kill' ? text.pane.lost : text.pane.ends} text={fate.lost} />}
          <Line term={text.pane.kept} text={fate.kept} />
        </dl>
        {problem !== undefined && (
          <p className="hint hint--error" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="dialog__foot">
        <button type="button" className="btn btn--lg btn--danger" disabled={end.isPending} onClick={() => ask({})}>
          {end.isPending ? words.pending : words.verb}
        </button>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={keep}>
          {fate.refusal}
        </button>
      </div>
    </Dialog>
  );
}

function Line({ term, text: detail }: { term: string; text: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{detail}</dd>
    </div>
  );
}

interface EndEvents {
  readonly onDone: () => void;
  readonly onFailure: (text: string) => void;
  readonly onRefusal: (refusal: KillRefusal) => void;
}

function useEnd(action: EndAction, session: Session, { onDone, onFailure, onRefusal }: EndEvents) {
  const { client, feed } = useConnection();
  const kill = useKill(session);
  return useMutation({
    mutationFn: async (how: KillQuery) => {
      if (action === 'kill') await kill(how);
      else feed.put(await client[action](session.id));
    },
    onSuccess: onDone,
    onError: (error) => {
      const refusal = killRefusal(error);
      if (refusal === undefined) onFailure(visibleText(errorText(error)));
      else onRefusal(refusal);
    },
  });
}

/** Kills, and tells of what was kept or did not go as it should. */
function useKill(session: Session): (how: KillQuery) => Promise<void> {
  const { client, feed, queries, toasts } = useConnection();
  return async (how) => {
    const result = await client.kill(session.id, how);
    feed.remove(session.id);
    for (const key of ['worktrees', 'salvages']) void queries.invalidateQueries({ queryKey: [key] });
    const note = killNote(result, session);
    if (note !== undefined) toasts.say(note.text, { command: note.command });
    for (const warning of result.warnings ?? []) toasts.say(visibleText(warning), { isError: true });
  };
}
