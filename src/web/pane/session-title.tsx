import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { NAME_KEY, NameSchema, type Session } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { type PageCommands, useCommands } from '../app/page-commands.js';
import { useConnection } from '../app/parts-context.js';
import { sessionName } from '../session/session-name.js';

/** The session's name, which becomes a field when it is clicked. */
export function SessionTitle({ session, commands }: { session: Session; commands: PageCommands }) {
  const [editing, setEditing] = useState(false);
  const name = sessionName(session);
  useCommands(commands, { rename: () => setEditing(true) });
  if (editing) return <RenameField session={session} name={name} onDone={() => setEditing(false)} />;
  return (
    <h1 className="bar__heading">
      <button type="button" className="bar__name clip" title={`${name}  Rename`} onClick={() => setEditing(true)}>
        {name}
      </button>
    </h1>
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
  const [text, setText] = useState(name);
  const rename = useRename(session.id);
  const isValid = text.trim() === '' || NameSchema.safeParse(text).success;
  const finish = () => {
    if (!isValid) toasts.say(problemOf(text), { isError: true });
    else if (text.trim() !== name) rename.mutate(text.trim() === '' ? null : text);
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
      aria-label="Name of the session"
      aria-invalid={!isValid}
      title={isValid ? undefined : problemOf(text)}
      spellCheck={false}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={press}
      onBlur={finish}
    />
  );
}

function problemOf(text: string): string {
  return `A name ${NameSchema.safeParse(text).error?.issues[0]?.message ?? 'is needed'}.`;
}

function useRename(id: string) {
  const { client, feed, toasts } = useConnection();
  return useMutation({
    mutationFn: (name: string | null) => client.patchMetadata(id, { [NAME_KEY]: name }),
    onSuccess: (session) => feed.put(session),
    onError: (error) => toasts.say(errorText(error), { isError: true }),
  });
}
