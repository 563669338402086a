interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: Readonly<Record<T, string>>;
  readonly onChoose: (value: T) => void;
}

/** A few choices that exclude each other, side by side. */
export function Segments<T extends string>({ label, value, choices, onChoose }: SegmentsProps<T>) {
  return (
    <fieldset className="seg" aria-label={label}>
      {(Object.entries(choices) as [T, string][]).map(([choice, text]) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChoose(choice)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
