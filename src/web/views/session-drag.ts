import type { DragEvent } from 'react';

const TYPE = 'application/x-maestro-session';

/** A session is dragged by what stands for it, such as its row in the list. */
export function dragSession({ dataTransfer }: DragEvent, id: string): void {
  dataTransfer.setData(TYPE, id);
  dataTransfer.effectAllowed = 'all';
}

export function isSessionDrag({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes(TYPE);
}

export function draggedSession({ dataTransfer }: DragEvent): string | undefined {
  return dataTransfer.getData(TYPE) || undefined;
}
