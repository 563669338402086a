import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { NAME_KEY, NameSchema, type Session } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { sessionName } from '../session/session-name.js';
import { text } from '../text/text.js';

interface SessionTitleProps {
  readonly session: Session;
  readonly commands: PageCommands;
  /** The page's command means this one. */
  readonly active?: boolean;
  /** Of the heading. */
  readonly level?: 1 | 2;
}

/** The session's name, which becomes a field when it is clicked. */
export function SessionTitle({ session, commands, active = true, level = 1 }: SessionTitleProps) {
  const [editing, setEditing] = useState(false);
  const name = sessionName(session);
  useCommands(commands, active ? { rename: () => setEditing(true) } : {});
  const Heading = level === 1 ? 'h1' : 'h2';
  if (editing) return <RenameField session={session} name={name} onDone={() => setEditing(false)} />;
  return (
    <Heading className="bar__heading">
      <button type="button" className="bar__name clip" title={`${name}  ${text.pane.actions.rename}`} onClick={() => setEditing(true)}>
        {name}
      </button>
    </Heading>
  );
}

interface RenameFieldProps {
  readonly session: Session;
  readonly name: string;
  readonly onDone: () => void;
}

/** Enter and leaving the field rename, Escape does not. An empty name takes the name away. */
function RenameField({ session, name, onDone }: RenameFieldProps) {
  const { toasts } = useConnection();
  const [typed, setTyped] = useState(name);
  const rename = useRename(session.id);
  const isValid = typed.trim() === '' || NameSchema.safeParse(typed).success;
  const finish = () => {
    if (!isValid) toasts.say(problemOf(typed), { isError: true });
    else if (typed.trim() !== name) rename.mutate(typed.trim() === '' ? null : typed);
    onDone();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isValid) finish();
    else if (event.key === 'Escape') onDone();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the field opens because the user asked to type into it.
      autoFocus
      className={`bar__rename${isValid ? '' : ' is-error'}`}
      aria-label={text.pane.name}
      aria-invalid={!isValid}
      title={isValid ? undefined : problemOf(typed)}
      spellCheck={false}
      value={typed}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={press}
      onBlur={finish}
    />
  );
}

function problemOf(name: string): string {
  return text.pane.wrongName(NameSchema.safeParse(name).error?.issues[0]?.message);
}

function useRename(id: string) {
  const { client, feed, toasts } = useConnection();
  return useMutation({
    mutationFn: (name: string | null) => client.patchMetadata(id, { [NAME_KEY]: name }),
    onSuccess: (session) => feed.put(session),
    onError: (error) => toasts.say(errorText(error), { isError: true }),
  });
}
