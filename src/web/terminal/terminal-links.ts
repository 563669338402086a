import { WebLinksAddon } from '@xterm/addon-web-links';
import type { ILinkHandler, Terminal } from '@xterm/xterm';

/** A link that the pointer is on or that was clicked. */
export interface TerminalLink {
  readonly target: string;
  /** Clicked: it stays until it is followed or dismissed. */
  readonly pinned: boolean;
  /** The pointer is in the lower half of the terminal. */
  readonly isLow: boolean;
}

/** The link to show after the pointer came to one or left it: one that was clicked stays until it is dismissed or another is clicked. */
export function nextLink(now: TerminalLink | undefined, next: TerminalLink | undefined): TerminalLink | undefined {
  return now?.pinned === true && next?.pinned !== true ? now : next;
}

/** Only these may be followed, whatever a program prints. */
export function isWebTarget(target: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(target).protocol);
  } catch {
    return false;
  }
}

/** Opens a page that cannot reach back to this one. */
export function openTarget(target: string): void {
  if (isWebTarget(target)) window.open(target, '_blank', 'noopener,noreferrer');
}

/**
 * Shows where links lead, both those that a program marks (OSC 8, whose text may say anything) and addresses in the text. A click with
 * Ctrl or Cmd follows; a plain one pins the target, so that it can be read first, also without a pointer that hovers.
 */
export function linkHandler(host: HTMLElement, show: (link: TerminalLink | undefined) => void): ILinkHandler {
  const link = (event: MouseEvent, target: string, pinned: boolean): TerminalLink => {
    const { top, height } = host.getBoundingClientRect();
    return { target, pinned, isLow: event.clientY - top > height / 2 };
  };
  return {
    allowNonHttpProtocols: false,
    activate(event, target) {
      if (!isWebTarget(target)) return;
      if (event.ctrlKey || event.metaKey) openTarget(target);
      else show(link(event, target, true));
    },
    hover: (event, target) => isWebTarget(target) && show(link(event, target, false)),
    leave: () => show(undefined),
  };
}

/** Makes addresses in the text links as well. */
export function findWebLinks(terminal: Terminal, { activate, hover, leave }: ILinkHandler): void {
  const nowhere = { start: { x: 0, y: 0 }, end: { x: 0, y: 0 } };
  terminal.loadAddon(
    new WebLinksAddon((event, target) => activate(event, target, nowhere), {
      hover: (event, target) => hover?.(event, target, nowhere),
      leave: (event, target) => leave?.(event, target, nowhere),
    }),
  );
}
