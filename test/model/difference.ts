import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../src/protocol/index.js';
import { until } from '../support/until.js';
import type { Driver } from './driver.js';
import type { SessionModel } from './session-model.js';

/** What must be true of all sessions: those there are, by id, and those that are gone for ever. */
export interface World {
  readonly living: ReadonlyMap<string, SessionModel>;
  readonly killed: ReadonlySet<string>;
}

/** Waits until the daemon, its disk and tmux are as they must be. Rejects with what is not. */
export async function agrees(driver: Driver, world: World): Promise<void> {
  let wrong: readonly string[] = [];
  try {
    await until('the daemon to agree with the model', async () => {
      wrong = await differences(driver, world);
      return wrong.length === 0;
    });
  } catch (error) {
    throw new Error(`${wrong.length === 0 ? 'the daemon cannot be asked' : wrong.join('\n')}`, { cause: error });
  }
}

/** Everything in which the host is not as the model has it. */
export async function differences(driver: Driver, { living, killed }: World): Promise<string[]> {
  const listed = await driver.calls.list();
  const ids = [...living.keys()].sort(byName);
  const running = ids.filter((id) => living.get(id)?.status === 'running');
  const panes = running.map((id) => `${id} ${living.get(id)?.size.cols}x${living.get(id)?.size.rows}`);
  const names = (directory: string) => readdir(join(driver.state, directory));
  const fifos = (await names('run/pty')).filter((name) => !name.startsWith('spare-')).map((name) => name.slice(0, UUID_LENGTH));
  const tombstones = new Set(await names('trash'));
  const records = ids.map((id) => `${id}.json`);
  const wrong = [
    ...unless('sessions', sorted(listed.map(({ id }) => id)), ids),
    ...unless('panes', sorted(await driver.panes()), panes),
    ...unless('records', sorted(await names('sessions')), records),
    ...unless('fifos', sorted(fifos), running),
    ...unless(
      'killed sessions without a tombstone',
      [...killed].filter((id) => !tombstones.has(id)),
      [],
    ),
    ...unless(
      'tombstones of sessions that live',
      ids.filter((id) => tombstones.has(id)),
      [],
    ),
  ];
  for (const view of listed) {
    const model = living.get(view.id);
    if (model !== undefined) wrong.push(...(await sessionDifferences(driver, view, model)));
  }
  return wrong;
}

const UUID_LENGTH = 36;

async function sessionDifferences(driver: Driver, view: Session, model: SessionModel): Promise<string[]> {
  const disk = JSON.parse(await readFile(join(driver.state, 'sessions', `${view.id}.json`), 'utf8')) as Session & { run: number };
  const printed = printing(await driver.calls.scrollback(view.id), model);
  return [
    ...unless('as told', shown(view, model), wanted(model)),
    ...unless('on disk', { ...shown(disk, model), run: disk.run }, { ...wanted(model), run: model.run }),
    ...unless('its worktree is there', view.worktree === undefined || existsSync(view.worktree.path), true),
    ...printed,
  ].map((text) => `${model.name} (${view.id.slice(0, 8)}) ${text}`);
}

/** Nothing, unless what is seen is not what is wanted. */
function unless(what: string, seen: unknown, right: unknown): string[] {
  const [is, must] = [JSON.stringify(seen), JSON.stringify(right)];
  return is === must ? [] : [`${what}: is ${is}, must be ${must}`];
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort(byName);
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What of a session is compared, in the order of {@link wanted}. */
function shown(session: Session, model: SessionModel): object {
  const { status, exit, agent_session, activity, metadata, env, cwd, size, warning } = session;
  const told = exit && { reason: exit.reason, ...(howMatters(model) ? { code: exit.code, signal: exit.signal } : {}) };
  const [conversation, state, name, greeting] = [agent_session, activity?.state, metadata.name, env.GREETING];
  return { status, exit: told, conversation, activity: state, name, greeting, cwd, size: [size.cols, size.rows], warning };
}

function wanted(model: SessionModel): object {
  const { status, exit, conversation, activity, name, greeting, cwd, size } = model;
  const told = exit && { reason: exit.reason, ...(howMatters(model) ? { code: exit.code, signal: exit.signal } : {}) };
  return { status, exit: told, conversation, activity, name, greeting, cwd, size: [size.cols, size.rows] };
}

/** How a program ends that the daemon ends is the program's own affair. */
function howMatters({ exit }: SessionModel): boolean {
  return exit?.code !== undefined || exit?.signal !== undefined;
}

/** What was printed is there once and in order; what may have been lost is there once at most. */
function printing(scrollback: string, { printed, unsure }: SessionModel): string[] {
  const maybe = new Set(unsure);
  const words = [...scrollback.matchAll(/\[((?:life|word)-\d+)\]/g)].map((match) => match[1] ?? '');
  const sure = words.filter((word) => !maybe.has(word));
  const twice = words.filter((word, index) => words.indexOf(word) !== index);
  return [
    ...(sure.join(' ') === printed.join(' ') ? [] : [`printed ${JSON.stringify(words)}, must be ${JSON.stringify(printed)}`]),
    ...(twice.length === 0 ? [] : [`printed twice: ${twice.join(' ')}`]),
  ];
}
