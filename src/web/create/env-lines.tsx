import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import type { EnvLine } from './create-draft.js';

interface EnvLinesProps {
  readonly lines: readonly EnvLine[];
  readonly onChange: (lines: readonly EnvLine[]) => void;
}

/** Variables of the program's environment, one a line. */
export function EnvLines({ lines, onChange }: EnvLinesProps) {
  const change = (key: number, part: Partial<EnvLine>) => onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));
  return (
    <div className="envrows">
      {lines.map((line) => (
        <div key={line.key} className="envrow">
          <div className="input">
            <input
              className="mono"
              aria-label={text.create.variable}
              placeholder={text.create.variableName}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              value={line.name}
              onChange={(event) => change(line.key, { name: event.target.value })}
            />
          </div>
          <div className="input">
            <input
              className="mono"
              aria-label={text.create.valueOf(line.name)}
              placeholder={text.create.value}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              value={line.value}
              onChange={(event) => change(line.key, { value: event.target.value })}
            />
          </div>
          <button
            type="button"
            className="btn btn--ghost btn--icon"
            aria-label={text.create.removeVariable(line.name)}
            onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
          >
            <Icon name="x" small />
          </button>
        </div>
      ))}
    </div>
  );
}

export function addedLine(lines: readonly EnvLine[]): readonly EnvLine[] {
  return [...lines, { key: Math.max(0, ...lines.map(({ key }) => key)) + 1, name: '', value: '' }];
}
