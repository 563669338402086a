/** What pages of one browser agree by. Browsers have it for pages of trustworthy addresses only. */
export function pageLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}
