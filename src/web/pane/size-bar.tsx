import type { Size } from '../../protocol/index.js';
import { text } from '../text/text.js';

/** On a phone: the terminal is as large as another viewer made it, until this one takes over. */
export function SizeBar({ size: { cols, rows }, onTakeOver }: { size: Size; onTakeOver: () => void }) {
  return (
    <div className="sizebar">
      <span className="grow num clip">{text.pane.size.told(`${cols} × ${rows}`)}</span>
      <button type="button" className="btn btn--ghost" onClick={onTakeOver}>
        {text.pane.size.takeOver}
      </button>
    </div>
  );
}
