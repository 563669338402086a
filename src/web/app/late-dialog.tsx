import { useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { useLateCode } from '../parts/late-code.js';
import { Skeleton } from '../parts/skeleton.js';
import { text } from '../text/text.js';
import { NoCode } from './no-code.js';
import type { Opened, OpenedDialogProps } from './opened-dialog.js';

interface LateDialogProps extends Omit<OpenedDialogProps, 'opened'> {
  readonly opened: Opened | undefined;
}

/** The dialogs of the page, whose code is fetched once the page has nothing better to do, or somebody wants one. */
export function LateDialog({ opened, ...rest }: LateDialogProps) {
  const isIdle = useIdle();
  const load = () => import('./opened-dialog.js').then(({ OpenedDialog }) => ({ OpenedDialog }));
  const { code, failed, retry } = useLateCode('dialogs', load, { wanted: isIdle || opened !== undefined });
  if (opened === undefined) return null;
  if (code !== undefined) return <code.OpenedDialog opened={opened} {...rest} />;
  return <Waiting onRetry={failed ? retry : undefined} onClose={rest.onClose} />;
}

/** Takes the keyboard already, so that nothing that is typed goes to a program. */
function Waiting({ onRetry, onClose }: { onRetry: (() => void) | undefined; onClose: () => void }) {
  const { loading, notLoaded } = text.workspace;
  return (
    <Dialog title={onRetry === undefined ? loading : notLoaded.part} onClose={onClose}>
      <div className="dialog__body">
        {onRetry === undefined ? <Skeleton rows={6} label={loading} /> : <NoCode title="" onRetry={onRetry} />}
      </div>
    </Dialog>
  );
}

/** How long the page has for what is needed at once, in milliseconds. */
const FIRST_MS = 1500;

function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), FIRST_MS);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}
