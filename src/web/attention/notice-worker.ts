/** How long a worker may take to be there, in milliseconds. */
const READY_MS = 4_000;

/** What shows notices of this page, where browsers have it: for pages of trustworthy addresses only. Undefined where it does not work. */
export async function noticeWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = container();
  if (workers === undefined) return undefined;
  try {
    const known = await workers.getRegistration('/');
    if (known?.active) return known;
    await workers.register('/notices.js', { scope: '/', updateViaCache: 'none' });
    return await Promise.race([workers.ready, new Promise<undefined>((resolve) => setTimeout(resolve, READY_MS))]);
  } catch {
    return undefined; // the user keeps no data of pages, such as in some private windows
  }
}

/** The one that there is already. */
export async function knownWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return container()
    ?.getRegistration('/')
    .catch(() => undefined);
}

/** Calls back with the id of the session whose notice was clicked. */
export function onNoticeClick(onOpen: (id: string) => void, signal: AbortSignal): void {
  const listener = ({ data }: MessageEvent<{ open?: unknown } | null>) => {
    if (typeof data?.open === 'string') onOpen(data.open);
  };
  container()?.addEventListener('message', listener, { signal });
}

function container(): ServiceWorkerContainer | undefined {
  return 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
}
