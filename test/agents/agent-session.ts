import type { Activity, Explanation, Session, Transition } from '../../src/protocol/index.js';
import type { Answer, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';
import type { Keys } from './real-agent.js';

/** OpenCode needs a tenth of this on two quiet cores, and all of it where ten programs want them. */
const START_MS = 120_000;
const TURN_MS = 60_000;

/** How long keys may take to end a request. */
const ANSWER_MS = 5_000;
/** How much later than the daemon expects an agent may begin. */
const BEGIN_MS = 3_000;

interface Offered {
  readonly begun?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What a session went through, one entry for each state or kind of wait that differs from the one before, such as `waiting permission`. */
export type Course = readonly string[];

/** A session with a real agent, used through the API alone. */
export class AgentSession {
  readonly id: string;
  /** How many prompts needed a second Enter. */
  enteredTwice = 0;
  readonly #host: TestHost;
  readonly #readyText: string;

  constructor(host: TestHost, { id, readyText }: { readonly id: string; readonly readyText: string }) {
    this.#host = host;
    this.id = id;
    this.#readyText = readyText;
  }

  now(): Promise<Session> {
    return this.#host.session(this.id);
  }

  /**
   * Sends a prompt as a careful client does: it has to be taken, and where the agent does not begin with it, Enter is pressed once more. A
   * machine that is too busy makes some agents take the Enter for a part of the text.
   */
  async prompt(text: string): Promise<void> {
    const begun = await this.enter(text);
    if (begun || (await this.#begins())) return;
    this.enteredTwice += 1;
    await this.press(['Enter']);
  }

  /** Sends a text, and expects that it is taken; true when the agent began to work. */
  async enter(text: string): Promise<boolean> {
    const { status, body } = await this.offer(text);
    if (status >= 300) throw new Error(`the text ${JSON.stringify(text)} was answered ${status}: ${JSON.stringify(body)}`);
    return body.begun !== false;
  }

  /** Sends a text that may be refused. */
  offer(text: string): Promise<Answer<Offered>> {
    return this.#host.call('POST', `/api/sessions/${this.id}/input`, { text, submit: true });
  }

  #begins(): Promise<boolean> {
    const begins = async () => (await this.now()).activity?.state !== 'idle';
    return until('the agent to begin', begins, BEGIN_MS).catch(() => false);
  }

  async press(keys: Keys): Promise<void> {
    const { status, body } = await this.#host.call('POST', `/api/sessions/${this.id}/input`, { keys });
    if (status >= 300) throw new Error(`the keys ${keys.join(' ')} were answered ${status}: ${JSON.stringify(body)}`);
  }

  /** Answers what it asks. Agents ignore keys for a moment after a dialog has come, so they are pressed again where nothing follows. */
  async answer(keys: Keys): Promise<void> {
    const isOver = async () => (await this.now()).activity?.state !== 'waiting';
    for (let tries = 1; tries <= 3; tries += 1) {
      await this.press(keys);
      if (await until('the request to be over', isOver, ANSWER_MS).catch(() => false)) return;
    }
  }

  /** Waits until it does this, and of a wait until its kind is this. */
  becomes(wanted: Activity['state'], kind?: Activity['kind'], deadlineMs = TURN_MS): Promise<Activity> {
    const what = `${wanted}${kind === undefined ? '' : ` ${kind}`}`;
    return this.#until(`session ${this.id} to be ${what}`, deadlineMs, ({ activity }) =>
      activity?.state === wanted && activity.kind === kind ? activity : undefined,
    );
  }

  /** Waits until it has started and is idle, and shows the line for the prompt. */
  async isReady(): Promise<Activity> {
    const activity = await this.becomes('idle', undefined, START_MS);
    await this.shows(this.#readyText);
    return activity;
  }

  /** Waits until the message of its activity holds the text. It may come behind the state, from another source. */
  tells(text: string): Promise<Activity> {
    return this.#until(`session ${this.id} to tell ${JSON.stringify(text)}`, TURN_MS, ({ activity }) =>
      activity?.message?.includes(text) === true ? activity : undefined,
    );
  }

  /** Waits until its conversation is known, and is another one than `former`. */
  conversation(former?: string): Promise<string> {
    const what = former === undefined ? 'its conversation to be known' : `another conversation than ${former}`;
    return this.#until(`session ${this.id}: ${what}`, TURN_MS, ({ agent_session }) =>
      agent_session === former ? undefined : agent_session,
    );
  }

  screen(): Promise<string> {
    return this.#host.screen(this.id);
  }

  /** Waits until the screen holds the text, however its lines are broken. */
  shows(text: string, deadlineMs = TURN_MS): Promise<string> {
    const wanted = words(text);
    return until(
      `the screen to show ${JSON.stringify(text)}`,
      async () => {
        const screen = await this.screen();
        return words(screen).includes(wanted) ? screen : undefined;
      },
      deadlineMs,
    );
  }

  async explanation(): Promise<Explanation> {
    const { status, body } = await this.#host.call<Explanation>('GET', `/api/sessions/${this.id}/explanation`);
    if (status !== 200) throw new Error(`explanation answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** The number of the last transition. */
  async mark(): Promise<number> {
    return (await this.explanation()).transitions.at(-1)?.seq ?? 0;
  }

  /** What it went through behind the transition `mark`. */
  async course(mark = 0): Promise<Course> {
    const { transitions } = await this.explanation();
    // One from a state to itself tells of the conversation, unless the kind of a wait or a failure is new.
    const states = transitions.filter(({ seq, from, to, kind, failed }) => seq > mark && (from !== to || kind || failed)).map(named);
    return states.filter((state, index) => state !== states[index - 1]);
  }

  /** Waits until a turn behind the transition `mark` is over; answers what the session went through. */
  settles(mark: number): Promise<Course> {
    return until(
      `session ${this.id} to have worked and be idle`,
      async () => {
        const course = await this.course(mark);
        return course.includes('working') && course.at(-1)?.startsWith('idle') === true && course;
      },
      TURN_MS,
    );
  }

  /** Lets the model say `text`, and waits until that turn is over. */
  async hears(text: string): Promise<Course> {
    const mark = await this.mark();
    await this.prompt(`say ${text}`);
    return this.settles(mark);
  }

  resume(): Promise<Answer<Session>> {
    return this.#host.resume(this.id);
  }

  #until<T>(what: string, deadlineMs: number, probe: (session: Session) => T | undefined): Promise<Exclude<T, undefined | false>> {
    return until(what, async () => probe(await this.now()), deadlineMs);
  }
}

function named({ to, kind, failed }: Transition): string {
  return [to, kind, failed === true ? 'failed' : undefined].filter((word) => word !== undefined).join(' ');
}

function words(text: string): string {
  return text.split(/\s+/).join(' ');
}
