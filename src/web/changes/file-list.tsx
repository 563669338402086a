import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { DiffFile } from '../../protocol/index.js';
import { PHONE } from '../parts/phone.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { Counts, StatusLetter } from './file-signs.js';
import { PathText } from './plain-text.js';

interface FileListProps {
  readonly files: readonly DiffFile[];
  /** The one that is looked at, by its place. */
  readonly current: number;
  readonly onChoose: (file: number) => void;
}

/** The files that differ. */
export function FileList({ files, current, onChoose }: FileListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const height = matchMedia(PHONE).matches ? 44 : 28;
  const virtualizer = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 8,
  });
  useEffect(() => {
    if (current < files.length) virtualizer.scrollToIndex(current, { align: 'auto' });
  }, [virtualizer, current, files.length]);
  const items = virtualizer.getVirtualItems();
  return (
    <nav ref={scroll} className="files" aria-label={text.changes.changedFiles}>
      <div className="files__all" ref={(element) => element?.style.setProperty('height', `${virtualizer.getTotalSize()}px`)}>
        <ul className="files__seen" ref={(element) => element?.style.setProperty('transform', `translateY(${items[0]?.start ?? 0}px)`)}>
          {items.map(({ index }) => {
            const file = files[index];
            return (
              file && (
                <li key={file.path}>
                  <button
                    type="button"
                    className="filerow"
                    aria-current={index === current ? 'true' : undefined}
                    title={visibleText(file.old_path === undefined ? file.path : `${file.old_path} → ${file.path}`)}
                    onClick={() => onChoose(index)}
                  >
                    <StatusLetter status={file.status} />
                    <PathText path={file.path} />
                    <Counts file={file} />
                  </button>
                </li>
              )
            );
          })}
        </ul>
      </div>
    </nav>
  );
}
