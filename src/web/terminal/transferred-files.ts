/** What a paste or a drop brought. */
export type Transferred = { readonly text: string } | { readonly files: readonly File[]; readonly hasFolders: boolean };

/**
 * What was meant where there are several forms of it: office programs put a picture of the text beside it, file managers the names of the
 * files beside them.
 */
export function transferredOf(data: DataTransfer | null): Transferred {
  const text = data?.getData('text/plain') ?? '';
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  const hasFolders = items.some(isFolder);
  const isPictureOfText = text !== '' && files.every(({ type }) => type.startsWith('image/'));
  return items.length === 0 || (isPictureOfText && !hasFolders) ? { text } : { files, hasFolders };
}

function isFolder(item: DataTransferItem): boolean {
  return item.webkitGetAsEntry?.()?.isDirectory === true;
}

export interface DropEvents {
  /** Files are held over the element, or no longer. */
  onOver(isOver: boolean): void;
  onDrop(transferred: Transferred): void;
}

/** Takes in files that are dropped on an element. One that is dropped beside it does not replace the page. */
export function takeDrops(host: HTMLElement, { onOver, onDrop }: DropEvents, signal: AbortSignal): void {
  let isOver = false;
  const tell = (next: boolean) => {
    if (next !== isOver) onOver(next);
    isOver = next;
  };
  const isHere = ({ target }: DragEvent) => target instanceof Node && host.contains(target);
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = isHere(event) ? 'copy' : 'none';
    tell(isHere(event));
  };
  const drop = (event: DragEvent) => {
    tell(false);
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    if (isHere(event)) onDrop(transferredOf(event.dataTransfer));
  };
  window.addEventListener('dragover', over, { signal });
  window.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && tell(false), { signal });
  window.addEventListener('drop', drop, { signal });
}
