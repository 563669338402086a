import { type FormEvent, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { CommandLine } from '../parts/command-line.js';
import { Icon } from '../parts/icon.js';
import { Mark } from '../parts/mark.js';
import { text } from '../text/text.js';
import { codeIn } from './login-code.js';

const COMMAND = 'maestro open';

/** Asks for a login link or its code. `problem`: why the last login did not work or is over. */
export function LoginPage({ problem }: { problem?: string | undefined }) {
  const { login } = usePageParts();
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const code = codeIn(typed);
    if (code === undefined) {
      setMistake(text.login.noLink(COMMAND));
      return;
    }
    setBusy(true);
    setMistake(await login.signIn(code));
    setBusy(false);
  };
  const shown = mistake ?? problem;
  return (
    <main className="login">
      <form className="login__card" onSubmit={(event) => void submit(event)}>
        <Mark size={40} />
        <div>
          <h1>{text.login.title}</h1>
          <p className="lede">{text.login.lead}</p>
        </div>
        <CommandLine command={COMMAND} whole />
        <div className="field">
          <label htmlFor="code">{text.login.paste}</label>
          <div className={`input${shown === undefined ? '' : ' is-error'}`}>
            <Icon name="key" quiet />
            <input
              id="code"
              className="mono"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="one-time-code"
              autoCapitalize="off"
              spellCheck={false}
              aria-invalid={shown !== undefined}
              aria-describedby="code-problem"
            />
          </div>
          {shown !== undefined && (
            <div className="hint hint--error" id="code-problem" role="alert">
              {shown}
            </div>
          )}
        </div>
        <button type="submit" className="btn btn--lg btn--primary" disabled={busy || typed.trim() === ''}>
          {text.login.signIn}
        </button>
        <p className="hint hint--top">
          <Icon name="shield" small />
          <span>{text.login.stays}</span>
        </p>
      </form>
    </main>
  );
}
