/** Longer names make no better branches. */
const SLUG_LIMIT = 60;

/** A branch name made of a session's name, such as `fix-login` of "Fix login!"; empty when the name has nothing to make one of. */
export function branchSlug(name: string): string {
  const parts = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split('/')
    .map((part) => cleanPart(part.replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-')));
  const slug = parts.filter((part) => part !== '').join('/');
  return trimEnds([...slug].slice(0, SLUG_LIMIT).join(''));
}

/** git allows no part that begins or ends with a dot, has two of them in a row, or ends like its own lock files. */
function cleanPart(part: string): string {
  return trimEnds(part.replace(/\.{2,}/g, '.').replace(/-{2,}/g, '-')).replace(/(?:\.lock)+$/, '');
}

function trimEnds(text: string): string {
  return text.replace(/^[-.\p{M}]+|[-./]+$/gu, '').replace(/(?:\.lock)+$/, '');
}

/** Another name for a branch whose name is taken: `fix-login-2`, after it `fix-login-3`. */
export function nextBranch(branch: string): string {
  const [, stem = branch, number] = /^(.+)-([1-9]\d{0,3})$/.exec(branch) ?? [];
  return number === undefined ? `${branch}-2` : `${stem}-${Number(number) + 1}`;
}
