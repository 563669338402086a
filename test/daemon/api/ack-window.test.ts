import { expect, test } from 'vitest';
import { ACK_WINDOW, AckWindow } from '../../../src/daemon/api/ack-window.js';

function begun(offset = 0): AckWindow {
  const window = new AckWindow();
  window.begin({ epoch: 1, offset });
  return window;
}

test('T3: a viewer that never acknowledges is not held back', () => {
  const window = begun();
  window.sent(10 * ACK_WINDOW);
  expect(window.isFull).toBe(false);
});

test('T3: one that acknowledges is sent no more than a window ahead of what it has shown', () => {
  const window = begun(500);
  window.shown({ epoch: 1, offset: 500 });
  window.sent(ACK_WINDOW);
  expect(window.isFull).toBe(false);
  window.sent(1);
  expect(window.isFull).toBe(true);
  window.shown({ epoch: 1, offset: 501 });
  expect(window.isFull).toBe(false);
});

test('an acknowledgement of what was never sent, of another epoch, or of less than before says nothing', () => {
  const window = begun();
  window.shown({ epoch: 1, offset: 0 });
  window.sent(ACK_WINDOW + 10);
  for (const position of [
    { epoch: 1, offset: 10 * ACK_WINDOW },
    { epoch: 2, offset: 100 },
  ])
    window.shown(position);
  expect(window.isFull).toBe(true);
  window.shown({ epoch: 1, offset: 20 });
  window.shown({ epoch: 1, offset: 5 });
  expect(window.isFull).toBe(false);
});

test('after a gap only what follows it counts', () => {
  const window = begun();
  window.shown({ epoch: 1, offset: 0 });
  window.sent(2 * ACK_WINDOW);
  window.begin({ epoch: 2, offset: 7 });
  expect(window.isFull).toBe(false);
});
