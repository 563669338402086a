import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon, type IconName } from './icon.js';
import { IconButton } from './icon-button.js';

interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  /** Which edge of the button the menu is flush with. */
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
  readonly className?: string;
}

/** A button that opens a menu of {@link MenuItem}s. Arrows move, Escape and a click elsewhere close. */
export function Menu({ label, icon, align = 'end', children, className = '' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <>
      <IconButton
        ref={button}
        className={className}
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <MenuPopup id={id} label={label} anchor={button} align={align} onClose={() => setOpen(false)}>
          {children}
        </MenuPopup>
      )}
    </>
  );
}

interface PopupProps {
  readonly id: string;
  readonly label: string;
  readonly anchor: { readonly current: HTMLElement | null };
  readonly align: 'start' | 'end';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function MenuPopup({ id, label, anchor, align, onClose, children }: PopupProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const menu = ref.current;
    if (menu === null || anchor.current === null) return;
    menu.showPopover();
    place(menu, anchor.current, align);
    itemsOf(menu)[0]?.focus();
  }, [anchor, align]);
  const close = () => {
    onClose();
    anchor.current?.focus();
  };
  return (
    <div
      ref={ref}
      id={id}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className="menu"
      popover="manual"
      onKeyDown={(event) => moveFocus(event, close)}
      onBlur={(event) => {
        const to = event.relatedTarget;
        if (to !== anchor.current && !event.currentTarget.contains(to)) onClose();
      }}
      onClick={close}
    >
      {children}
    </div>
  );
}

interface MenuItemProps {
  readonly icon?: IconName;
  readonly label: string;
  readonly chord?: string | undefined;
  readonly danger?: boolean;
  /** For one of several that exclude each other. */
  readonly checked?: boolean;
  readonly onChoose: () => void;
}

export function MenuItem({ icon, label, chord, danger = false, checked, onChoose }: MenuItemProps) {
  const role = checked === undefined ? ({ role: 'menuitem' } as const) : ({ role: 'menuitemradio', 'aria-checked': checked } as const);
  return (
    <button type="button" className={`menu__row${danger ? ' menu__row--danger' : ''}`} onClick={onChoose} {...role}>
      {icon !== undefined && <Icon name={icon} />}
      {label}
      {chord !== undefined && <kbd className="kbd">{chord}</kbd>}
    </button>
  );
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
}

function moveFocus(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (to === undefined) return;
  else items.at(to % items.length)?.focus();
  event.preventDefault();
  event.stopPropagation();
}

const GAP = 4;

/** Below the anchor, or above it where there is more room. */
function place(menu: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const x = align === 'start' ? left : right - width;
  const y = bottom + GAP + height <= innerHeight ? bottom + GAP : top - GAP - height;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, y)}px`;
}
