import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.js';
import { titled } from './titled.js';

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  readonly label: string;
  /** The keys that do the same. */
  readonly chord?: string | undefined;
}

/** A button that is but an icon; its title says what it does. */
export function IconButton({ icon, label, chord, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`btn btn--ghost btn--icon ${className}`} aria-label={label} title={titled(label, chord)} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
