interface SkeletonProps {
  readonly rows: number;
  /** What is being waited for. */
  readonly label: string;
}

/** Still lines in the place of what comes; seen only when it takes a while. */
export function Skeleton({ rows, label }: SkeletonProps) {
  return (
    <div className="skeleton skeleton--lines" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <span key={row} className="sk" aria-hidden="true" />
      ))}
    </div>
  );
}
