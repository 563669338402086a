import type { HostPreset } from '../../protocol/index.js';
import type { PageCommands } from '../keys/page-commands.js';
import { CommandLine } from '../parts/command-line.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { Mark } from '../parts/mark.js';
import { monogram } from '../session/monogram.js';
import { shortPath } from '../session/project.js';
import type { SessionState } from '../session/session-state.js';
import { SettingsMenu } from '../settings/settings-menu.js';
import { text } from '../text/text.js';
import { useHost, usePresets } from './use-host.js';

interface WelcomePageProps {
  readonly commands: PageCommands;
  readonly onCreate: (preset?: string) => void;
}

/** There is no session yet: the next step, and what the shapes will mean. */
export function WelcomePage({ commands, onCreate }: WelcomePageProps) {
  const host = useHost();
  const presets = usePresets() ?? [];
  const installed = presets.filter((preset) => preset.installed);
  const command = `maestro new --preset ${installed[0]?.id ?? 'shell'} --cwd ~/src/app`;
  return (
    <>
      <header className="bar phone-only">
        <span className="bar__title bar__title--plain">
          <Mark size={20} />
          <span className="strong">{host?.host_name ?? 'Maestro'}</span>
        </span>
        <SettingsMenu commands={commands} />
      </header>
      <header className="bar desk-only" />
      <section className="panel" aria-label={text.welcome.section}>
        <div className="hero">
          <h1>{text.welcome.title}</h1>
          <p className="lede">{text.welcome.lead(host?.host_name)}</p>
          <div className="presets presets--2">
            {installed.map((preset) => (
              <StartCard key={preset.id} preset={preset} home={host?.home} onStart={() => onCreate(preset.id)} />
            ))}
          </div>
          <MissingAgents presets={presets.filter((preset) => !preset.installed)} onShow={() => onCreate()} />
          <div className="label">{text.welcome.fromTerminal}</div>
          <CommandLine command={command} />
          <div className="rule" />
          <div className="label">{text.welcome.shapes}</div>
          <Legend />
        </div>
      </section>
    </>
  );
}

function StartCard({ preset, home, onStart }: { preset: HostPreset; home: string | undefined; onStart: () => void }) {
  const { label, path, executable } = preset;
  return (
    <button type="button" className="preset preset--wide" onClick={onStart}>
      <span className="agent" aria-hidden="true">
        {monogram(preset)}
      </span>
      <span className="preset__words">
        <span className="preset__name clip">{label}</span>
        <span className="preset__note clip">{executable === undefined ? text.create.loginShell : shortPath(path ?? executable, home)}</span>
      </span>
      <Icon name="right" small quiet />
    </button>
  );
}

function MissingAgents({ presets, onShow }: { presets: readonly HostPreset[]; onShow: () => void }) {
  const [first, ...others] = presets;
  if (first === undefined) return null;
  return (
    <div className="hint">
      {text.welcome.notOnPath(first.label, others.length)}
      <button type="button" className="textlink" onClick={onShow}>
        {text.welcome.seeAll}
      </button>
    </div>
  );
}

const LEGEND = ['waiting', 'working', 'done', 'failed', 'idle', 'dead', 'dormant'] as const satisfies readonly SessionState[];

function Legend() {
  return (
    <ul className="legend">
      {LEGEND.map((state) => (
        <li key={state}>
          <Glyph state={state} decorative />
          {text.welcome.legend[state]}
        </li>
      ))}
    </ul>
  );
}
