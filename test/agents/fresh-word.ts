import { randomUUID } from 'node:crypto';

/** A word that begins with `kind` and that no screen has shown yet. */
export function fresh(kind: string): string {
  return `${kind}-${randomUUID().slice(0, 8)}`;
}
