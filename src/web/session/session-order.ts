import type { ProjectPlace } from './project.js';
import { type SessionView, stateRank } from './session-state.js';

/** One heading of the list with the sessions under it. */
export interface SessionGroup {
  /** `waiting`, or the project's directory. */
  readonly key: string;
  readonly project?: ProjectPlace;
  readonly views: readonly SessionView[];
  /** Of a project, also those that wait and are therefore shown at the top. */
  readonly total: number;
  /** The state that the project shows: its most urgent one. */
  readonly first: SessionView;
}

/** Most urgent first; of those that wait the one that waits longest, of others the newest. */
export function compareViews(a: SessionView, b: SessionView): number {
  const byRank = stateRank(a) - stateRank(b);
  if (byRank !== 0) return byRank;
  const byTime = a.state === 'waiting' ? a.since - b.since : b.since - a.since;
  return byTime || (a.session.id < b.session.id ? -1 : 1);
}

/** The list as it is shown: those that wait at the top, then the projects by name. */
export function groupSessions(views: readonly SessionView[]): SessionGroup[] {
  const sorted = [...views].sort(compareViews);
  const waiting = sorted.filter(({ state }) => state === 'waiting');
  return [...groupOf('waiting', waiting), ...projectGroups(sorted)];
}

function projectGroups(sorted: readonly SessionView[]): SessionGroup[] {
  const byPath = new Map<string, SessionView[]>();
  for (const view of sorted) {
    const { path } = view.project;
    byPath.set(path, [...(byPath.get(path) ?? []), view]);
  }
  const groups = [...byPath].flatMap(([path, views]) => {
    const first = views[0];
    if (first === undefined) return [];
    const others = views.filter(({ state }) => state !== 'waiting');
    return [{ key: path, project: first.project, views: others, total: views.length, first }];
  });
  return groups.sort((a, b) => compareNames(a.project.name, b.project.name) || compareNames(a.key, b.key));
}

function groupOf(key: string, views: readonly SessionView[]): SessionGroup[] {
  const first = views[0];
  return first === undefined ? [] : [{ key, views, total: views.length, first }];
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true, sensitivity: 'base' });
}

/**
 * The order to show while the user points into the list: that of `before`, so that no row moves away under the pointer. Gone sessions
 * leave, new ones come behind those of their group.
 */
export function frozenOrder(before: readonly SessionGroup[], now: readonly SessionGroup[]): SessionGroup[] {
  const views = new Map(now.flatMap((group) => group.views).map((view) => [view.session.id, view]));
  const kept = before.map((group) => {
    const still = group.views.flatMap(({ session }) => views.get(session.id) ?? []);
    for (const { session } of still) views.delete(session.id);
    return { ...group, views: still };
  });
  const fresh = now.map((group) => ({ ...group, views: group.views.filter(({ session }) => views.has(session.id)) }));
  const merged = kept.map((group) => {
    const same = now.find(({ key }) => key === group.key);
    const more = fresh.find(({ key }) => key === group.key)?.views ?? [];
    return { ...group, ...(same && { total: same.total, first: same.first }), views: [...group.views, ...more] };
  });
  const added = fresh.filter(({ key, views: own }) => own.length > 0 && !before.some((group) => group.key === key));
  return [...merged, ...added].filter((group) => group.views.length > 0 || now.some(({ key }) => key === group.key));
}
