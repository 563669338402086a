import { expect, test } from 'vitest';
import { describeAgent } from './agent-suite.js';
import { CLAUDE } from './claude.js';
import { fresh } from './fresh-word.js';

describeAgent(CLAUDE, (agents) => {
  test('a turn that has ended is work while its sub-agent in the background goes on', async () => {
    const { model } = agents();
    const session = await agents().idle();
    const mark = await session.mark();
    const aside = fresh('aside');
    const inner = model.hold(aside);
    await agents().forgetOwnHook();
    await session.prompt(`background say ${aside}`);
    await inner.reached;
    await session.shows(`finished background say ${aside}`);
    await agents().ownHookRan();
    await session.becomes('working');
    inner.release();
    await session.becomes('idle');
    expect(await session.course(mark)).toEqual(['working', 'idle']);
  });
});
