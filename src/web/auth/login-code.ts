/**
 * The one-time code in what a person pastes: a whole login link, its fragment, or the code alone. Undefined where there is none.
 */
export function codeIn(text: string): string | undefined {
  const trimmed = text.trim();
  const inFragment = /(?:^|[#&])code=([^&\s]+)/.exec(trimmed)?.[1];
  if (inFragment !== undefined) return decoded(inFragment);
  return /^[\w-]{1,200}$/.test(trimmed) ? trimmed : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Takes the code out of the page's address, so that it stays in no history and no bookmark. */
export function takeCode(location: Location, history: History): string | undefined {
  if (!location.hash.includes('code=')) return undefined;
  const code = codeIn(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
