import type { HostPreset, Project } from '../../protocol/index.js';
import { ALL_ACTIONS, groupOfAction, type PageAction } from '../keys/page-actions.js';
import { shortPath } from '../session/project.js';
import { sessionName } from '../session/session-name.js';
import { sessionNote } from '../session/session-note.js';
import { compareViews } from '../session/session-order.js';
import { type SessionView, waitText } from '../session/session-state.js';
import { text } from '../text/text.js';
import type { PaletteItem } from './palette-item.js';
import { sessionKey } from './recent.js';

export interface PaletteSources {
  readonly views: readonly SessionView[];
  /** The session that the actions are about. */
  readonly current: SessionView | undefined;
  readonly knows: (action: PageAction) => boolean;
  readonly projects: readonly Project[];
  readonly presets: readonly HostPreset[];
  readonly home: string | undefined;
}

/** All that can be chosen, each kind in its usual order. */
export function paletteItems(sources: PaletteSources): readonly PaletteItem[] {
  return [...sessionItems(sources), ...actionItems(sources), ...projectItems(sources), ...presetItems(sources)];
}

function sessionItems({ views, presets }: PaletteSources): PaletteItem[] {
  return [...views].sort(compareViews).map((view) => {
    const { session, project, state } = view;
    const says = state === 'waiting' ? waitText(session) : sessionNote(session, presets);
    return {
      kind: 'session',
      key: sessionKey(session.id),
      view,
      name: sessionName(session),
      note: [project.name, says].filter((part) => part !== '').join(' · '),
      more: [project.path, session.git?.branch ?? session.worktree?.branch ?? '', session.command, session.id].join('\n'),
    };
  });
}

/** What can be done with a session, also with one that is not in view. */
export function subjectItems({ session }: SessionView): readonly PaletteItem[] {
  const isRunning = session.status === 'running';
  return OF_A_SESSION.filter((action) => (isRunning ? action !== 'resume' : action !== 'restart' && action !== 'stop')).map((action) => ({
    kind: 'action',
    key: `action ${action}`,
    action,
    name: text.keys.actions[action],
    note: '',
  }));
}

const OF_A_SESSION: readonly PageAction[] = ALL_ACTIONS.filter(isOfSession);

function isOfSession(action: PageAction): boolean {
  return groupOfAction(action) === 'session' && action !== 'new' && action !== 'resume_all';
}

/** Those that somebody would carry out now. */
function actionItems({ current, knows, views }: PaletteSources): PaletteItem[] {
  const dormant = views.filter(({ state }) => state === 'dormant').length;
  const named = current === undefined ? '' : sessionName(current.session);
  return ALL_ACTIONS.filter((action) => action !== 'palette' && knows(action)).map((action) => {
    const note = action === 'resume_all' ? text.palette.sessions(dormant) : isOfSession(action) ? named : '';
    return { kind: 'action', key: `action ${action}`, action, name: text.keys.actions[action], note };
  });
}

function projectItems({ projects, home }: PaletteSources): PaletteItem[] {
  return projects.map((project) => {
    const cwd = shortPath(project.path, home);
    const sessions = project.sessions.length === 0 ? text.palette.noSessions : text.palette.sessions(project.sessions.length);
    return { kind: 'project', key: `project ${project.path}`, project, cwd, name: project.name, note: `${cwd} · ${sessions}` };
  });
}

function presetItems({ presets }: PaletteSources): PaletteItem[] {
  return presets.map((preset) => {
    const note = preset.installed ? '' : text.create.notInstalled;
    return { kind: 'preset', key: `preset ${preset.id}`, preset, name: preset.label, note, more: preset.id };
  });
}

/** Each installed preset in each project, for who names both. */
export function presetsInProjects({ projects, presets, home }: PaletteSources): readonly PaletteItem[] {
  return projects.flatMap((project) => {
    const cwd = shortPath(project.path, home);
    return presets
      .filter(({ installed }) => installed)
      .map((preset): PaletteItem => {
        const name = text.palette.presetIn(preset.label, project.name);
        return { kind: 'preset', key: `preset ${preset.id} ${project.path}`, preset, cwd, name, note: cwd };
      });
  });
}
