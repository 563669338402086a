/** Runs `work` on every item, at most `limit` at a time, also on those that are added to `items` meanwhile. The first failure rejects, after all that had begun has ended. */
export async function someAtOnce<T>(items: T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  while (items.length > 0) {
    const results = await Promise.allSettled(items.splice(-limit).map(work));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
