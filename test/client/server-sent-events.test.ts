import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ServerSentEvent, serverSentEvents } from '../../src/client/server-sent-events.js';

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield part;
}

async function eventsOf(...texts: string[]): Promise<ServerSentEvent[]> {
  const found: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(chunks(...texts.map((text) => Buffer.from(text))))) found.push(event);
  return found;
}

test('a message has the event, data and id that its lines give', async () => {
  expect(await eventsOf('event: session\nid: 7\ndata: {"a":1}\n\n')).toEqual([{ event: 'session', id: '7', data: '{"a":1}' }]);
});

test('data lines are joined, comments and unknown fields are passed over, the id stays until another comes', async () => {
  expect(await eventsOf(': hello\nid: 1\ndata: a\ndata:b\nretry: 5\nx\n\ndata\n\n\n:\n\n')).toEqual([
    { event: 'message', id: '1', data: 'a\nb' },
    { event: 'message', id: '1', data: '' },
  ]);
});

test('a message that the end cuts off is dropped', async () => {
  expect(await eventsOf('data: whole\n\ndata: half\n')).toEqual([{ event: 'message', id: '', data: 'whole' }]);
});

test('line ends of all three kinds mean the same, wherever the stream is cut', async () => {
  const bytes = Buffer.from('event: a\r\ndata: é😀\r\n\r\n\rdata: 2\rdata: 3\r\revent: c\ndata: 4\n\n');
  const whole = await eventsOf(bytes.toString());
  expect(whole.map(({ data }) => data)).toEqual(['é😀', '2\n3', '4']);
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: bytes.length });
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const edges = [0, ...at.sort((a, b) => a - b), bytes.length];
      const parts = edges.slice(1).map((end, n) => bytes.subarray(edges[n], end));
      const found: ServerSentEvent[] = [];
      for await (const event of serverSentEvents(chunks(...parts))) found.push(event);
      expect(found).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});
