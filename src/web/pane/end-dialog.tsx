import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { useHost } from '../app/use-host.js';
import { Dialog } from '../parts/dialog.js';
import { type EndAction, fateOf } from '../session/fate.js';
import { sessionName } from '../session/session-name.js';

interface EndDialogProps {
  readonly action: EndAction;
  readonly session: Session;
  /** `done`: the session was ended, and with a kill is no more. */
  readonly onClose: (done: boolean) => void;
}

/** Asks before a program is ended, and says what goes and what stays. */
export function EndDialog({ action, session, onClose }: EndDialogProps) {
  const [problem, setProblem] = useState<string>();
  const fate = fateOf(action, session, useHost()?.home);
  const end = useEnd(action, session.id, { onDone: () => onClose(true), onFailure: setProblem });
  return (
    <Dialog narrow title={`${fate.verb} ${sessionName(session)}?`} onClose={() => onClose(false)}>
      <div className="dialog__body">
        <dl className="fates">
          {fate.lost !== undefined && <Line term={action === 'kill' ? 'Lost' : 'Ends'} text={fate.lost} />}
          <Line term="Kept" text={fate.kept} />
        </dl>
        {problem !== undefined && (
          <p className="hint hint--error" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="dialog__foot">
        <button type="button" className="btn btn--lg btn--danger" disabled={end.isPending} onClick={() => end.mutate()}>
          {end.isPending ? fate.pending : fate.verb}
        </button>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={() => onClose(false)}>
          {fate.refusal}
        </button>
      </div>
    </Dialog>
  );
}

function Line({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{text}</dd>
    </div>
  );
}

interface EndEvents {
  readonly onDone: () => void;
  readonly onFailure: (text: string) => void;
}

function useEnd(action: EndAction, id: string, { onDone, onFailure }: EndEvents) {
  const { client, feed } = useConnection();
  return useMutation({
    mutationFn: async () => {
      if (action === 'kill') {
        await client.kill(id);
        feed.remove(id);
      } else feed.put(await client[action](id));
    },
    onSuccess: onDone,
    onError: (error) => onFailure(errorText(error)),
  });
}
