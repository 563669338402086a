import { useEffect, useRef } from 'react';
import type { ProjectSetup } from '../../protocol/index.js';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';

/** What a repository wants to run for each new worktree, word for word, before anybody trusts it. */
export function SetupNotice({ setup }: { setup: ProjectSetup }) {
  const notice = useScrolledInto();
  const { env, copy, ports } = setup;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return (
    <section ref={notice} className="setup" aria-label="Set-up of the repository">
      <div className="setup__head">
        <Icon name="shield" small />
        <span className="grow">
          <span className="mono">.maestro/config.toml</span> wants to do this for the worktree. It would run as you, and you have not
          trusted it yet.
        </span>
      </div>
      <Script title="Before the program starts" text={setup.setup} />
      <Script title="Before the worktree is removed" text={setup.teardown} />
      {variables.length > 0 && <Script title="Environment" text={variables.join('\n')} />}
      {copy.length > 0 && <Script title="Ignored files to copy from the main worktree" text={copy.join('\n')} />}
      {ports > 0 && <p className="setup__more">{`${ports} ${ports === 1 ? 'port' : 'ports'} of its own`}</p>}
      <p className="setup__more">{`Trust is for ${visibleText(setup.repo)} and for exactly this; a change asks again.`}</p>
    </section>
  );
}

/** There is a set-up, and nobody can tell what it is. */
export function SetupProblem({ text }: { text: string }) {
  return (
    <section ref={useScrolledInto()} className="setup" aria-label="Set-up of the repository">
      <div className="setup__head">
        <Icon name="shield" small />
        <span className="grow">{text}</span>
      </div>
    </section>
  );
}

/** Nobody should decide without having seen it. */
function useScrolledInto() {
  const notice = useRef<HTMLElement>(null);
  useEffect(() => {
    void notice.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return notice;
}

function Script({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined || text.trim() === '') return null;
  return (
    <div className="setup__part">
      <h3 className="label">{title}</h3>
      <pre className="mono">{visibleLines(text.replace(/(?<!\n)\n+$/, ''))}</pre>
    </div>
  );
}

function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}
