const KNOWN: Readonly<Record<string, string>> = { claude: 'cc', codex: 'cx', gemini: 'ge', opencode: 'oc', shell: '$' };

/** Two letters for an agent, in place of a logo that is not ours. */
export function monogram({ id, label }: { readonly id: string; readonly label: string }): string {
  const known = KNOWN[id];
  if (known !== undefined) return known;
  const words = label.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? words.map((word) => [...word][0] ?? '') : [...(words[0] ?? id)];
  return letters.slice(0, 2).join('').toLowerCase();
}
