/** What a control is called, with the keys that do the same, for its title. */
export function titled(label: string, chord: string | undefined): string {
  return chord === undefined ? label : `${label}  ${chord}`;
}
