import type { Size } from '../../protocol/index.js';

/** On a phone: the terminal is as large as another viewer made it, until this one takes over. */
export function SizeBar({ size: { cols, rows }, onTakeOver }: { size: Size; onTakeOver: () => void }) {
  return (
    <div className="sizebar">
      <span className="grow num clip">
        {cols} × {rows}, sized elsewhere
      </span>
      <button type="button" className="btn btn--ghost" onClick={onTakeOver}>
        Take over size
      </button>
    </div>
  );
}
