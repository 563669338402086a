import type { HostPreset } from '../../protocol/index.js';
import { CommandLine } from '../parts/command-line.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { Mark } from '../parts/mark.js';
import { monogram } from '../session/monogram.js';
import { shortPath } from '../session/project.js';
import type { SessionState } from '../session/session-state.js';
import { SettingsMenu } from '../settings/settings-menu.js';
import type { PageCommands } from './page-commands.js';
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
      <section className="panel" aria-label="First steps">
        <div className="hero">
          <h1>Start your first session</h1>
          <p className="lede">
            It runs in tmux on {host?.host_name ?? 'this host'} and outlives this tab, the daemon and a reboot. Close the page whenever you
            like.
          </p>
          <div className="presets presets--2">
            {installed.map((preset) => (
              <StartCard key={preset.id} preset={preset} home={host?.home} onStart={() => onCreate(preset.id)} />
            ))}
          </div>
          <MissingAgents presets={presets.filter((preset) => !preset.installed)} onShow={() => onCreate()} />
          <div className="label">Or from a terminal</div>
          <CommandLine command={command} />
          <div className="rule" />
          <div className="label">What the shapes will tell you</div>
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
        <span className="preset__note clip">{executable === undefined ? 'your login shell' : shortPath(path ?? executable, home)}</span>
      </span>
      <Icon name="right" small quiet />
    </button>
  );
}

function MissingAgents({ presets, onShow }: { presets: readonly HostPreset[]; onShow: () => void }) {
  const [first, ...others] = presets;
  if (first === undefined) return null;
  const rest = others.length === 0 ? ' is' : ` and ${others.length} more are`;
  return (
    <div className="hint">
      {first.label}
      {rest} not on the PATH.
      <button type="button" className="textlink" onClick={onShow}>
        See all
      </button>
    </div>
  );
}

const LEGEND: readonly (readonly [SessionState, string])[] = [
  ['waiting', 'Waiting for you'],
  ['working', 'Working'],
  ['done', 'Done, not seen yet'],
  ['idle', 'Idle'],
  ['dead', 'Dead'],
  ['dormant', 'Dormant, can resume'],
];

function Legend() {
  return (
    <ul className="legend">
      {LEGEND.map(([state, text]) => (
        <li key={state}>
          <Glyph state={state} decorative />
          {text}
        </li>
      ))}
    </ul>
  );
}
