import { useEffect, useState } from 'react';
import { NoCode } from '../changes/late-changes.js';
import { Dialog } from '../parts/dialog.js';
import { useLateCode } from '../parts/late-code.js';
import { Skeleton } from '../parts/skeleton.js';
import { text } from '../text/text.js';
import type { Opened, OpenedDialogProps } from './opened-dialog.js';

interface LateDialogProps extends Omit<OpenedDialogProps, 'opened'> {
  readonly opened: Opened | undefined;
}

/** The dialogs of the page, whose code is fetched once the page has nothing better to do, or somebody wants one. */
export function LateDialog({ opened, ...rest }: LateDialogProps) {
  const isIdle = useIdle();
  const load = () => import('./opened-dialog.js').then(({ OpenedDialog }) => ({ OpenedDialog }));
  const { code, failed } = useLateCode('dialogs', load, { wanted: isIdle || opened !== undefined });
  if (opened === undefined) return null;
  if (code !== undefined) return <code.OpenedDialog opened={opened} {...rest} />;
  return <Waiting failed={failed} onClose={rest.onClose} />;
}

/** Takes the keyboard already, so that nothing that is typed goes to a program. */
function Waiting({ failed, onClose }: { failed: boolean; onClose: () => void }) {
  return (
    <Dialog title={failed ? text.changes.loadFailed.title : text.workspace.loading} onClose={onClose}>
      <div className="dialog__body">{failed ? <NoCode /> : <Skeleton rows={6} label={text.workspace.loading} />}</div>
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
