import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type ActivityEngine, createEngine, type EngineStart } from '../../../../src/daemon/agents/activity/activity-engine.js';
import { activityProfile } from '../../../../src/daemon/agents/activity/activity-profile.js';
import type { EngineState, Transition } from '../../../../src/daemon/agents/activity/activity-state.js';
import {
  type AgentSignal,
  AgentSignalSchema,
  type SignalContext,
  type Translator,
} from '../../../../src/daemon/agents/activity/agent-signal.js';

const FILES = { claude: 'claude-2.1.332', codex: 'codex-0.171.0', gemini: 'gemini-0.61.0', opencode: 'opencode-1.18.33' } as const;
export type Agent = keyof typeof FILES;
export type Fields = Record<string, unknown>;

/** Midday of some day. */
export const T0 = Date.UTC(2026, 10, 30, 12);

const cache = new Map<Agent, Record<string, Fields>>();

/** A payload that was captured from the real agent. */
export function captured(agent: Agent, name: string): Fields {
  const path = new URL(`../../../fixtures/agents/${FILES[agent]}.json`, import.meta.url);
  const all = cache.get(agent) ?? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Fields>);
  cache.set(agent, all);
  const payload = all[name];
  if (payload === undefined) throw new Error(`${agent} has no payload ${name}`);
  return payload;
}

export function allCaptured(agent: Agent): readonly Fields[] {
  captured(agent, agent === 'opencode' ? 'init' : 'SessionStart:startup');
  return Object.values(cache.get(agent) ?? {});
}

/** The one signal that a payload gives, checked as where it crosses a boundary. */
export function only(translate: Translator, payload: unknown, context: Partial<SignalContext> = {}): AgentSignal {
  const signals = translate(payload, { at: T0, ...context });
  expect(signals).toHaveLength(1);
  const [signal] = signals;
  return AgentSignalSchema.parse(signal);
}

/** A session of one agent, fed with signals at milliseconds after {@link T0}. */
export class Course {
  readonly engine: ActivityEngine;
  readonly transitions: Transition[] = [];
  state: EngineState;
  #lastOutputAt: number | undefined;

  constructor(agent: string | undefined, start: EngineStart = { startedAt: T0 }, byOutput = false) {
    this.engine = createEngine(activityProfile(agent, { byOutput }));
    this.state = this.engine.begin(start);
  }

  /** Takes signals in at `ms`, or later where `arrivesAt` says so. */
  say(ms: number, signals: readonly Omit<AgentSignal, 'at'>[], arrivesAt = ms): this {
    for (const signal of signals) this.#take(this.engine.advance(this.state, { at: T0 + ms, ...signal }, T0 + arrivesAt));
    return this;
  }

  /** Bytes came at `ms`. */
  output(ms: number): this {
    this.#lastOutputAt = T0 + ms;
    if (this.engine.wantsOutput(this.state)) this.say(ms, [{ source: 'output' }]);
    return this;
  }

  /** Lets time pass, waking up only when the engine asked for it. */
  until(ms: number): this {
    for (let due = this.engine.dueAt(this.state); due !== undefined && due <= T0 + ms; ) {
      this.#take(this.engine.tick(this.state, due, this.#lastOutputAt));
      const next = this.engine.dueAt(this.state);
      if (next === due) throw new Error('the engine asks to be woken again and again');
      due = next;
    }
    return this;
  }

  get shown(): Partial<EngineState> {
    const { state, waiting, message, done, failed } = this.state;
    return {
      state,
      ...(waiting && { waiting }),
      ...(message !== undefined && { message }),
      ...(done && { done }),
      ...(failed && { failed }),
    };
  }

  /** The states that were shown, one after the other, without those of another conversation only. */
  get path(): string {
    return this.transitions
      .filter(({ from, to, waiting }) => from !== to || waiting !== undefined)
      .map(({ to, waiting }) => (waiting === undefined ? to : `${to}:${waiting}`))
      .join(' ');
  }

  #take({ state, transition }: { state: EngineState; transition?: Transition }): void {
    this.state = state;
    if (transition !== undefined) this.transitions.push(transition);
  }
}
