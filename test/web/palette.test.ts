import { describe, expect, test } from 'vitest';
import type { HostPreset, Project } from '../../src/protocol/index.js';
import type { PageAction } from '../../src/web/keys/page-actions.js';
import { type PaletteSources, paletteItems, presetsInProjects, subjectItems } from '../../src/web/palette/palette-items.js';
import { type PaletteGroup, readQuery, searchPalette } from '../../src/web/palette/palette-search.js';
import { sessionKey, withRecent } from '../../src/web/palette/recent.js';
import { at, aView } from './sessions.js';

const preset = (id: string, label: string, installed = true): HostPreset => ({ id, label, command: id, installed, takes_prompt: true });
const project = (name: string): Project => ({ path: `/home/u/src/${name}`, name, bare: false, branch: 'main', sessions: [] });
const named = (id: string, name: string, part: Parameters<typeof aView>[1] = {}) =>
  aView(id, { metadata: { name }, cwd: '/home/u/src/maestro', ...part });

const race = named('11111111-2222-4333-8444-555555555555', 'resume-race', {
  activity: { state: 'waiting', since: at(1), kind: 'permission', message: 'git commit' },
});
const screens = named('21111111-2222-4333-8444-555555555555', 'wall-screens', { status: 'dormant' });
const ledger = named('31111111-2222-4333-8444-555555555555', 'refund-ledger', { cwd: '/home/u/src/payments-api' });

const KNOWN: readonly PageAction[] = ['new', 'restart', 'resume_all', 'wall', 'palette'];

const sources: PaletteSources = {
  views: [race, screens, ledger],
  current: race,
  knows: (action) => KNOWN.includes(action),
  projects: [project('research-notes'), project('maestro')],
  presets: [preset('claude', 'Claude Code'), preset('codex', 'Codex'), preset('aider', 'Aider', false)],
  home: '/home/u',
};

function search(query: string, recent: readonly string[] = [], with_ = sources): readonly PaletteGroup[] {
  const currentKey = with_.current && sessionKey(with_.current.session.id);
  return searchPalette([...paletteItems(with_), ...presetsInProjects(with_)], readQuery(query), { recent, currentKey });
}

function shown(groups: readonly PaletteGroup[]) {
  return Object.fromEntries(groups.map(({ heading, hits }) => [heading, hits.map(({ item }) => item.name)]));
}

describe('the palette', () => {
  test('finds sessions, actions, projects and presets by a few letters, with the letters that were looked for', () => {
    const groups = search('res');
    expect(shown(groups)).toMatchObject({
      sessions: ['resume-race', 'wall-screens'],
      actions: ['Resume all dormant', 'Restart'],
      places: expect.arrayContaining(['research-notes']),
    });
    const [race_, screens_] = groups.find(({ heading }) => heading === 'sessions')?.hits ?? [];
    expect([race_?.marked, screens_?.marked]).toEqual([
      [0, 1, 2],
      [7, 8, 11],
    ]);
  });

  test('has the best hit first, whatever it is', () => {
    expect(search('rest')[0]?.hits[0]?.item).toMatchObject({ kind: 'action', action: 'restart' });
    expect(search('research')[0]?.hits[0]?.item).toMatchObject({ kind: 'project', name: 'research-notes' });
    expect(search('codex')[0]?.hits[0]?.item).toMatchObject({ kind: 'preset', name: 'Codex' });
    expect(search('codex notes')[0]?.hits[0]?.item).toMatchObject({
      kind: 'preset',
      name: 'Codex in research-notes',
      cwd: '~/src/research-notes',
    });
  });

  test('finds by what else is known only what stands there', () => {
    expect(shown(search('commit')).sessions).toEqual(['resume-race']);
    expect(shown(search('payments')).sessions).toEqual(['refund-ledger']);
    expect(search('3111111')[0]?.hits[0]?.item.name).toBe('refund-ledger');
    expect(search('zzz')).toEqual([]);
  });

  test('without words begins with what was used last, without what is in view, and then has everything', () => {
    const recent = [sessionKey(race.session.id), sessionKey(ledger.session.id), 'action wall', 'session gone'];
    expect(shown(search('', recent))).toEqual({
      recent: ['refund-ledger', 'Wall of all sessions'],
      sessions: ['resume-race', 'wall-screens'],
      actions: ['New session', 'Resume all dormant', 'Restart'],
      places: expect.arrayContaining(['research-notes', 'maestro', 'Claude Code', 'Codex', 'Aider']),
    });
  });

  test('has of what fits alike first what was used last', () => {
    const names = (recent: readonly string[]) => shown(search('@ r', recent)).places?.slice(0, 2);
    expect(names([])).toEqual(['research-notes', 'maestro']);
    expect(shown(search('> re', ['action resume_all'])).actions).toEqual(['Resume all dormant', 'Restart']);
  });

  test('looks where a sign tells it to', () => {
    expect(shown(search('! '))).toEqual({ sessions: ['resume-race'] });
    expect(Object.keys(shown(search('>r')))).toEqual(['actions']);
    expect(shown(search('@'))).toEqual({ places: ['research-notes', 'maestro'] });
  });

  test('offers of one session what can be done with it', () => {
    const actions = (view: typeof race) => subjectItems(view).map(({ name }) => name);
    expect(actions(race)).toEqual(expect.arrayContaining(['Rename', 'Restart', 'Stop', 'Kill']));
    expect(actions(screens)).toContain('Resume');
    for (const other of ['Restart', 'Stop', 'New session', 'Resume all dormant']) expect(actions(screens)).not.toContain(other);
  });

  test('offers only what somebody would do now, and says for which session', () => {
    const restart = search('restart')[0]?.hits[0]?.item;
    expect(restart?.note).toBe('resume-race');
    expect(search('resume all')[0]?.hits[0]?.item.note).toBe('1 session');
    expect(search('find anything')).toEqual([]);
  });
});

test('what is used again moves to the front, and the oldest is forgotten', () => {
  expect(withRecent(['a', 'b', 'c'], 'c')).toEqual(['c', 'a', 'b']);
  const many = Array.from({ length: 60 }, (_, at) => `session ${at}`);
  expect(withRecent(many, 'new')).toHaveLength(40);
});
