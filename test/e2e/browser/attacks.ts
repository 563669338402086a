import type { Frame, Page } from 'playwright-core';

/** What a script got from an address: the text of an answer it could read, or that it could read nothing. */
export type Loot = string | { readonly refused: string };

/** Requests that a script of another site makes with what the browser keeps for the daemon. */
export const FETCHES: readonly (readonly [string, string, RequestInit])[] = [
  ['a plain GET', '/api/sessions', {}],
  ['a GET that need not be read', '/api/sessions', { mode: 'no-cors' }],
  ['a GET with a header that is not simple', '/api/sessions', { headers: { 'x-maestro-secret': 'guess' } }],
  ['a POST of JSON', '/api/sessions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'CREATE' }],
  ['a POST of JSON called text', '/api/sessions', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'CREATE' }],
  ['a POST that need not be read', '/api/sessions', { method: 'POST', mode: 'no-cors', body: 'CREATE' }],
  ['a stop, which needs no body', '/api/sessions/ID/stop', { method: 'POST', mode: 'no-cors' }],
  ['a kill', '/api/sessions/ID', { method: 'DELETE' }],
  ['a rename', '/api/sessions/ID', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"metadata":{"name":"x"}}' }],
  ['typing', '/api/sessions/ID/input', { method: 'POST', mode: 'no-cors', body: '{"text":"touch CANARY","submit":true}' }],
  ['a logout', '/api/auth/logout', { method: 'POST', mode: 'no-cors' }],
  ['a login link', '/api/auth/link', { method: 'POST' }],
  ['a token rotation', '/api/auth/rotate', { method: 'POST', mode: 'no-cors' }],
  ['the page', '/', {}],
];

/** Bodies that a form can send without asking first. */
export const FORMS = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'] as const;

export function fetchFrom(where: Page | Frame, url: string, init: RequestInit): Promise<Loot> {
  return where.evaluate(
    async ([target, options]) => {
      try {
        const response = await fetch(target, { credentials: 'include', ...options });
        return response.type === 'opaque' ? { refused: 'opaque' } : await response.text();
      } catch (error) {
        return { refused: String(error) };
      }
    },
    [url, init] as const,
  );
}

/** Resolves with the first message, or how the connection ended without one. */
export function socketFrom(where: Page | Frame, url: string, protocols: string[] = []): Promise<Loot> {
  return where.evaluate(
    ([target, offered]) =>
      new Promise<Loot>((resolve) => {
        const socket = new WebSocket(target, offered);
        socket.onmessage = ({ data }) => resolve(String(data));
        socket.onclose = ({ code }) => resolve({ refused: String(code) });
      }),
    [url, protocols] as const,
  );
}

export function eventsFrom(where: Page | Frame, url: string): Promise<Loot> {
  return where.evaluate(
    (target) =>
      new Promise<Loot>((resolve) => {
        const source = new EventSource(target, { withCredentials: true });
        source.addEventListener('snapshot', ({ data }) => resolve(String(data)));
        source.onerror = () => {
          source.close();
          resolve({ refused: 'error' });
        };
      }),
    url,
  );
}

/** Submits a form into a frame, as a page can do unseen, and resolves when the answer has come. */
export function formFrom(where: Page | Frame, url: string, enctype: string, text: string): Promise<void> {
  return where.evaluate(
    ([action, type, value]) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        frame.name = 'sink';
        document.body.append(frame);
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post', enctype: type, target: 'sink' });
        // As text/plain, name and value are joined by "=", which the JSON hides in a string.
        const cut = value.lastIndexOf('"x":"') + 5;
        const field = Object.assign(document.createElement('input'), { name: value.slice(0, cut), value: value.slice(cut) });
        form.append(field);
        document.body.append(form);
        frame.onload = () => {
          frame.remove();
          form.remove();
          resolve();
        };
        form.submit();
      }),
    [url, enctype, text] as const,
  );
}
