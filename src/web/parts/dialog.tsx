import { type ReactNode, useEffect, useId, useRef } from 'react';
import { text } from '../text/text.js';
import { focusTerminal } from './focus-terminal.js';
import { Icon } from './icon.js';

interface DialogProps {
  readonly title: ReactNode;
  /** What has to be known first; under the title, and part of what the dialog is announced with. */
  readonly lead?: ReactNode;
  readonly narrow?: boolean;
  /** It warns, and wants an answer. */
  readonly alert?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. What has `autofocus` gets the focus, which goes back to where it was when the dialog is gone. */
export function Dialog({ title, lead, narrow = false, alert = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(ref);
  return (
    <dialog
      ref={ref}
      className={`dialog${narrow ? ' dialog--narrow' : ''}`}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={lead === undefined ? undefined : `${titleId}-lead`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog__head">
        <h2 id={titleId} className="grow">
          {title}
        </h2>
        <button type="button" className="btn btn--ghost btn--icon" aria-label={text.parts.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      {lead !== undefined && (
        <p id={`${titleId}-lead`} className="dialog__lead">
          {lead}
        </p>
      )}
      {children}
    </dialog>
  );
}

/** What had the focus may be gone by now: then the terminal has it. */
function giveBack(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus({ preventScroll: true });
  else focusTerminal();
}

/** For a dialog with a head of its own. */
export function useModal(ref: { readonly current: HTMLDialogElement | null }): void {
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog === null) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog.close();
      giveBack(before);
    };
  }, [ref]);
}
