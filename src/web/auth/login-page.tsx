import { type FormEvent, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { CommandLine } from '../parts/command-line.js';
import { Icon } from '../parts/icon.js';
import { Mark } from '../parts/mark.js';
import { codeIn } from './login-code.js';

const COMMAND = 'maestro open';

/** Asks for a login link or its code. `problem`: why the last login did not work or is over. */
export function LoginPage({ problem }: { problem?: string | undefined }) {
  const { login } = usePageParts();
  const [text, setText] = useState('');
  const [mistake, setMistake] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const code = codeIn(text);
    if (code === undefined) {
      setMistake(`This is no login link. Run ${COMMAND} and paste all that it prints.`);
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
          <h1>Sign in to Maestro</h1>
          <p className="lede">Run this on the host and open the link it prints. The link works once.</p>
        </div>
        <CommandLine command={COMMAND} whole />
        <div className="field">
          <label htmlFor="code">Or paste the link or its code</label>
          <div className={`input${shown === undefined ? '' : ' is-error'}`}>
            <Icon name="key" quiet />
            <input
              id="code"
              className="mono"
              value={text}
              onChange={(event) => setText(event.target.value)}
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
        <button type="submit" className="btn btn--lg btn--primary" disabled={busy || text.trim() === ''}>
          Sign in
        </button>
        <p className="hint hint--top">
          <Icon name="shield" small />
          <span>This browser stays signed in for 30 days. The host’s token never leaves the host.</span>
        </p>
      </form>
    </main>
  );
}
