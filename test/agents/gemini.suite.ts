import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { describeAgent } from './agent-suite.js';
import { fresh } from './fresh-word.js';
import { GEMINI } from './gemini.js';
import { haveTurn } from './survival.js';

/** Gemini names what it stores by the minute. */
const MINUTE_MS = 60_000;

describeAgent(GEMINI, (agents) => {
  test('a conversation that was resumed is still there after another one has begun in its directory', { timeout: 600_000 }, async () => {
    const { host, model } = agents();
    const session = await agents().begin({ directory: 'shared' });
    const text = await haveTurn(session);
    const minute = Math.floor(Date.now() / MINUTE_MS);
    await host.killTmux();
    await host.reaches(session.id, 'dormant');
    await until('the next minute', () => Math.floor(Date.now() / MINUTE_MS) > minute, 2 * MINUTE_MS);
    await session.resume();
    await session.isReady();
    const other = await agents().begin({ directory: 'shared' });
    await haveTurn(other);
    await host.killTmux();
    await host.reaches(session.id, 'dormant');
    await session.resume();
    await session.isReady();
    await session.shows(text);
    const more = fresh('more');
    await session.hears(more);
    expect(model.turns(more)[0]?.body).toContain(text);
  });
});
