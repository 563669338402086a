import type { Session } from '../../src/protocol/index.js';
import { type Seen, type SessionView, viewSession } from '../../src/web/session/session-state.js';

const START = Date.parse('2026-05-04T10:00:00Z');

/** A moment, in minutes after the tests' beginning, in milliseconds. */
export function minute(minutes: number): number {
  return START + minutes * 60_000;
}

export function at(minutes: number): string {
  return new Date(minute(minutes)).toISOString();
}

/** A running session of no agent, made at the tests' beginning. */
export function aSession(id: string, part: Partial<Session> = {}): Session {
  return {
    id,
    status: 'running',
    created_at: at(0),
    updated_at: at(0),
    cwd: '/home/me/src/app',
    command: 'htop',
    env: {},
    metadata: { name: id },
    size: { cols: 80, rows: 24 },
    ...part,
  };
}

export function aView(id: string, part: Partial<Session> = {}, seen: Seen = {}): SessionView {
  return viewSession(aSession(id, part), seen);
}
