import { spawnSync } from 'node:child_process';

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
export type EndSignal = (typeof SIGNALS)[number];

export interface TerminalEvents {
  /** What was typed, byte for byte. */
  onKeys(bytes: Buffer): void;
  onResize(): void;
  /** This process is told to end; SIGHUP also stands for a terminal that is gone. */
  onSignal(signal: EndSignal): void;
}

/** Puts the terminal on standard input into raw mode and listens to it, until the returned function is called. That may be called twice. */
export function takeTerminal({ onKeys, onResize, onSignal }: TerminalEvents): () => void {
  const { stdin, stdout } = process;
  const onGone = () => onSignal('SIGHUP');
  const onEach = (name: NodeJS.Signals) => onSignal(SIGNALS.find((signal) => signal === name) ?? 'SIGTERM');
  stdin.setRawMode(true);
  // Node's raw mode still puts a carriage return ahead of each line feed; the program's own terminal has done that where it is due.
  spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  for (const signal of SIGNALS) process.on(signal, onEach);
  stdin.on('data', onKeys).on('end', onGone).on('error', onGone);
  stdout.on('resize', onResize);
  return () => {
    stdout.off('resize', onResize);
    stdin.off('data', onKeys).off('end', onGone).pause();
    if (!stdin.destroyed) stdin.setRawMode(false);
    for (const signal of SIGNALS) process.off(signal, onEach);
  };
}
