import { useEffect, useRef } from 'react';
import type { ProjectSetup } from '../../protocol/index.js';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';

/** What a repository wants to run for each new worktree, word for word, before anybody trusts it. */
export function SetupNotice({ setup }: { setup: ProjectSetup }) {
  const notice = useScrolledInto();
  const { env, copy, ports } = setup;
  const words = text.create.setup;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return (
    <section ref={notice} className="setup" aria-label={text.create.setup.title}>
      <div className="setup__head">
        <Icon name="shield" small />
        <span className="grow">{text.create.setup.wants(<span className="mono">.maestro/config.toml</span>)}</span>
      </div>
      <Script title={words.setup} script={setup.setup} />
      <Script title={words.teardown} script={setup.teardown} />
      {variables.length > 0 && <Script title={text.create.environment} script={variables.join('\n')} />}
      {copy.length > 0 && <Script title={words.copies} script={copy.join('\n')} />}
      {ports > 0 && <p className="setup__more">{words.ports(ports)}</p>}
      <p className="setup__more">{words.changeAsks(visibleText(setup.repo))}</p>
    </section>
  );
}

/** There is a set-up, and nobody can tell what it is. */
export function SetupProblem({ problem }: { problem: string }) {
  return (
    <section ref={useScrolledInto()} className="setup" aria-label={text.create.setup.title}>
      <div className="setup__head">
        <Icon name="shield" small />
        <span className="grow">{problem}</span>
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

function Script({ title, script }: { title: string; script: string | undefined }) {
  if (script === undefined || script.trim() === '') return null;
  return (
    <div className="setup__part">
      <h3 className="label">{title}</h3>
      <pre className="mono">{visibleLines(script.replace(/(?<!\n)\n+$/, ''))}</pre>
    </div>
  );
}

function visibleLines(script: string): string {
  return script.split('\n').map(visibleText).join('\n');
}
