import type { ReactNode } from 'react';

/** Drawn on a grid of 16, with a stroke of 1.5. */
const SHAPES = {
  bell: <path d="M3.25 11.75h9.5c-.9-.9-1.25-1.75-1.25-4a3.5 3.5 0 0 0-7 0c0 2.250-.35 3.100-1.250 4ZM6.750 14h2.500" />,
  bell_off: (
    <path d="M11.25 11.750h-8c.9-.9 1.250-1.750 1.250-4 0-.7.2-1.350.55-1.900M6.600 4.550a3.500 3.500 0 0 1 4.900 3.200c0 .8.05 1.400.15 1.900M6.750 14h2.500M2.500 2.500l11 11" />
  ),
  branch: (
    <>
      <circle cx="4.75" cy="3.75" r="1.5" />
      <circle cx="4.75" cy="12.25" r="1.5" />
      <circle cx="11.25" cy="5.25" r="1.5" />
      <path d="M4.75 5.25v5.5M11.25 6.75c0 2.25-1.5 2.75-3.5 2.75-1.75 0-3 .5-3 1.25" />
    </>
  ),
  check: <path d="m3.5 8.5 3 3 6-7" />,
  copy: (
    <>
      <rect x="5.75" y="5.75" width="7.5" height="7.5" rx="1.5" />
      <path d="M10.25 5.75v-1.5c0-.9-.6-1.5-1.5-1.5h-4.5c-.9 0-1.5.6-1.5 1.5v4.5c0 .9.6 1.5 1.5 1.5h1.5" />
    </>
  ),
  diff: <path d="M8 2.5v6M5 5.5h6M5 12.5h6" />,
  down: <path d="M3.75 6 8 10.25 12.25 6" />,
  download: <path d="M8 2.75v7M5 7l3 3 3-3M3.25 12.75h9.5" />,
  end: <path d="M8 3v9.5M4 8.75l4 4 4-4" />,
  folder: (
    <path d="M2.25 4.75c0-.8.45-1.25 1.25-1.25h2.75l1.5 1.75h4.75c.8 0 1.25.45 1.25 1.25v4.75c0 .8-.45 1.25-1.25 1.25h-9c-.8 0-1.25-.45-1.25-1.25Z" />
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M6.4 6.4a1.65 1.65 0 1 1 2.35 1.6c-.5.25-.75.6-.75 1.15" />
      <path d="M8 11.15v.01" />
    </>
  ),
  history: <path d="M3 8a5 5 0 1 0 1.6-3.7L3 5.75M3 2.75v3h3M8 5.5V8l2 1.25" />,
  key: (
    <>
      <circle cx="5.5" cy="10.5" r="2.75" />
      <path d="m7.5 8.5 5.25-5.25M10.5 5.5 12 7" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.75" y="4" width="12.5" height="8" rx="1.5" />
      <path d="M4.5 6.75v.01M7 6.75v.01M9.5 6.75v.01M11.5 6.75v.01M5.5 9.4h5" />
    </>
  ),
  leave: <path d="M6.5 2.75h-3c-.6 0-1 .4-1 1v8.5c0 .6.4 1 1 1h3M10 4.75 13.25 8 10 11.25M13 8H6" />,
  left: <path d="M10 3.75 5.75 8 10 12.25" />,
  more: <path d="M3.5 8v.01M8 8v.01M12.5 8v.01" strokeWidth="2" />,
  one: <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="2" />,
  open: <path d="M9.25 2.75h4v4M13 3 7.75 8.25M11.5 9.5v2.75c0 .55-.45 1-1 1h-6.5c-.55 0-1-.45-1-1V5.75c0-.55.45-1 1-1H6.5" />,
  paste: (
    <>
      <rect x="3.75" y="3.25" width="8.5" height="10" rx="1.5" />
      <path d="M6.25 3.25v-.5c0-.3.2-.5.5-.5h2.5c.3 0 .5.2.5.5v.5c0 .55-.45 1-1 1h-1.5c-.55 0-1-.45-1-1Z" />
    </>
  ),
  pen: <path d="M10.75 3.25 12.75 5.25 5.75 12.25 3 13l.75-2.75ZM9.25 4.75l2 2" />,
  play: <path d="M5 3.5v9l7-4.5Z" />,
  plug: <path d="M5.75 2.75v3M10.25 2.75v3M4 5.75h8v1.5a4 4 0 0 1-8 0ZM8 11.25v2" />,
  plus: <path d="M8 3.25v9.5M3.25 8h9.5" />,
  restart: <path d="M12.75 8A4.75 4.75 0 1 1 11 4.25M11.25 2v2.5h-2.5" />,
  right: <path d="m6 3.75 4.25 4.25L6 12.25" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3 3" />
    </>
  ),
  settings: (
    <>
      <path d="M2.5 4.75h6.25M12.25 4.75h1.25M2.5 11.25h1.25M7.25 11.25h6.25" />
      <circle cx="10.5" cy="4.75" r="1.75" />
      <circle cx="5.5" cy="11.25" r="1.75" />
    </>
  ),
  shield: <path d="M8 2.25 3.25 4v3.75c0 3 2 5 4.75 6 2.75-1 4.75-3 4.75-6V4Z" />,
  side: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="2" />
      <path d="M6.25 2.75v10.5" />
    </>
  ),
  size: <path d="M9.5 3.25h3.25V6.5M12.5 3.5 9.25 6.75M6.5 12.75H3.25V9.5M3.5 12.5l3.25-3.25" />,
  split: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="2" />
      <path d="M8 2.75v10.5M8 8h5.75" />
    </>
  ),
  split_down: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="2" />
      <path d="M2.25 8h11.5" />
    </>
  ),
  split_right: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="2" />
      <path d="M8 2.75v10.5" />
    </>
  ),
  stop: <rect x="4" y="4" width="8" height="8" rx="1.5" />,
  terminal: <path d="m3.25 4.5 3.5 3.5-3.5 3.5M8.5 12h4.25" />,
  trash: (
    <path d="M3 4.5h10M6.25 4.25v-1c0-.4.3-.75.75-.75h2c.45 0 .75.35.75.75v1M4.25 4.75l.5 7.75c.05.6.4 1 1 1h4.500c.6 0 .95-.4 1-1l.5-7.75" />
  ),
  unfold: <path d="M5.25 5 8 2.25 10.75 5M5.25 11 8 13.75 10.75 11M2.75 8h1.5M7.25 8h1.5M11.75 8h1.5" />,
  up: <path d="M3.75 10 8 5.75 12.25 10" />,
  wall: (
    <>
      <rect x="2.25" y="2.75" width="4.75" height="4.25" rx="1" />
      <rect x="9" y="2.75" width="4.75" height="4.25" rx="1" />
      <rect x="2.25" y="9" width="4.75" height="4.25" rx="1" />
      <rect x="9" y="9" width="4.75" height="4.25" rx="1" />
    </>
  ),
  x: <path d="m4 4 8 8M12 4l-8 8" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  readonly quiet?: boolean;
  readonly className?: string;
}

/** A picture beside words, or in a button that has an accessible name of its own. */
export function Icon({ name, small = false, quiet = false, className = '' }: IconProps) {
  return (
    <svg className={`i${small ? ' i--sm' : ''}${quiet ? ' fg3' : ''} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
