import type { ComponentProps } from 'react';

/** What a field offers. The focus stays in the field, which has the keys and names the option that is pointed at. */
export function Listbox({ label, ...rest }: ComponentProps<'div'> & { readonly label: string }) {
  // A press must not take the focus out of the field.
  return <div role="listbox" aria-label={label} tabIndex={-1} onMouseDown={(event) => event.preventDefault()} {...rest} />;
}

export function Option({ selected, ...rest }: ComponentProps<'div'> & { readonly selected: boolean }) {
  return <div role="option" tabIndex={-1} aria-selected={selected} {...rest} />;
}
