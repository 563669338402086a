/** Maestro's mark: an M whose last stroke is a terminal's cursor, which turns amber while a session waits. */
export function Mark({ size, waiting = false }: { size: number; waiting?: boolean }) {
  return (
    <svg
      className={`mark${waiting ? ' has-waiting' : ''}`}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="currentColor"
      aria-hidden="true"
    >
      <path
        d="M6 25.7V8.2L15.4 19.7 25.6 5.4"
        fill="none"
        stroke="currentColor"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <rect className="mark__cur" x="22.3" y="16.2" width="6.2" height="11.2" rx="1.2" />
    </svg>
  );
}
