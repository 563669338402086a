import { visiblePieces } from './text-pieces.js';

/** A text that a program or a repository wrote, with what does not show by itself made visible. */
export function PlainText({ text }: { text: string }) {
  return visiblePieces(text).map(({ text: shown, hidden }, at) =>
    hidden === undefined ? (
      shown
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place.
      <span key={at} className="ctl" title={hidden}>
        {shown}
      </span>
    ),
  );
}

/** A path whose end is worth more than its beginning. */
export function PathText({ path }: { path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="path">
      {cut > 0 && (
        <span className="path__dir clip">
          <PlainText text={path.slice(0, cut)} />
        </span>
      )}
      <span className="path__name clip">
        <PlainText text={path.slice(cut)} />
      </span>
    </span>
  );
}
