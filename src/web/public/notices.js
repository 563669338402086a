/*
 * Lets the browser show notices of the page on phones, where a page may not do so by itself, and while the page is closed. It fetches
 * and keeps nothing. What a notice leads to is made of its tag, which is a session's id or not used.
 */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.tag));
});

/** Shows the session in the page that was used last, else in a new one. */
async function goTo(tag) {
  const id = SESSION_ID.test(tag) ? tag : undefined;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = windows.find(({ url }) => !new URL(url).pathname.startsWith('/api/'));
  if (page === undefined) return self.clients.openWindow(id === undefined ? '/' : `/s/${id}`);
  await page.focus().catch(() => undefined); // some systems let nobody come to the front by himself
  if (id !== undefined) page.postMessage({ open: id });
}
