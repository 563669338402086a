import type { PathCompletions, Project } from '../../protocol/index.js';
import { shortPath } from '../session/project.js';
import { fuzzyMatches } from './fuzzy-match.js';

/** Something that the project field offers. `path` is what the field then holds. */
export type PlaceOption =
  | { readonly kind: 'project'; readonly path: string; readonly project: Project }
  | { readonly kind: 'directory'; readonly path: string; readonly repository: boolean };

export interface PlaceSources {
  readonly projects: readonly Project[];
  /** Directories of sessions that are in no project, short. */
  readonly places: readonly string[];
  /** What the daemon knows of the typed path. */
  readonly completions: PathCompletions | undefined;
  readonly home: string | undefined;
}

/** Text that begins like a path is one; any other is looked for among the projects. */
export function isPathText(text: string): boolean {
  return text.startsWith('/') || text === '~' || text.startsWith('~/');
}

/** `path` without the slashes behind it. */
export function trimmedPath(path: string): string {
  const text = path.trim();
  return text.length > 1 ? text.replace(/\/+$/, '') || '/' : text;
}

/** A path as the daemon writes it, when it can be known here. */
export function fullPath(path: string, home: string | undefined): string {
  const text = trimmedPath(path);
  if (home === undefined || !(text === '~' || text.startsWith('~/'))) return text;
  return trimmedPath(`${trimmedPath(home)}${text.slice(1)}`);
}

/** What to offer for `query`: everything where it is empty. */
export function placeOptions(query: string, sources: PlaceSources): PlaceOption[] {
  const { projects, places, home } = sources;
  const known = [...projects.map((project) => projectOption(project, home)), ...placesOutside(projects, places, home)];
  if (query.trim() === '') return known;
  if (isPathText(query)) {
    const completed = completedOptions(query, sources);
    if (completed.length > 0) return completed;
  }
  return fuzzyMatches(known, query, ({ path }) => ({ name: lastPart(path), path }));
}

/** Answers may be of what was typed before: only those that still complete it count. */
function completedOptions(query: string, { projects, completions, home }: PlaceSources): PlaceOption[] {
  const isShort = query.startsWith('~');
  const options = (completions?.entries ?? []).map(({ path, repository }): PlaceOption => {
    const project = projects.find((one) => one.path === path);
    const shown = isShort ? shortPath(path, home) : path;
    return project === undefined ? { kind: 'directory', path: shown, repository } : { kind: 'project', path: shown, project };
  });
  const start = query === '~' ? '~/' : query;
  return options.filter(({ path }) => path.toLowerCase().startsWith(start.toLowerCase()));
}

function projectOption(project: Project, home: string | undefined): PlaceOption {
  return { kind: 'project', path: shortPath(project.path, home), project };
}

function placesOutside(projects: readonly Project[], places: readonly string[], home: string | undefined): PlaceOption[] {
  const taken = new Set(projects.map(({ path }) => shortPath(path, home)));
  return places.filter((path) => !taken.has(path)).map((path) => ({ kind: 'directory', path, repository: false }));
}

/** What the field holds once an option is chosen. A directory may hold what is meant, so its path goes on. */
export function chosenText(option: PlaceOption): string {
  return option.kind === 'project' || option.path.endsWith('/') ? option.path : `${option.path}/`;
}

/**
 * What Tab makes of `text`: the option that is pointed at, else as in a shell all that the completions have in common. Undefined when
 * that is nothing new, and Tab is to go to the next field.
 */
export function tabText(text: string, options: readonly PlaceOption[], active: PlaceOption | undefined): string | undefined {
  const [first] = options;
  if (first === undefined) return undefined;
  const chosen = active ?? (isPathText(text) ? undefined : first);
  const completed = chosen === undefined ? sharedText(options, first) : chosenText(chosen);
  const isNew = chosen !== undefined || (completed.length > text.length && completed.toLowerCase().startsWith(text.toLowerCase()));
  return isNew && completed !== text ? completed : undefined;
}

function sharedText(options: readonly PlaceOption[], first: PlaceOption): string {
  if (options.length === 1) return chosenText(first);
  return options.map(({ path }) => path).reduce(sharedStart);
}

function sharedStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}
