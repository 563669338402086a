/** Puts `text` on the clipboard. False where the browser does not let the page. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or a page that was not reached over a trustworthy address
  }
}
