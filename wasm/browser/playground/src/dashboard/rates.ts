const seconds = 10;

interface Second<K> {
  readonly at: number;
  readonly counts: Map<K, number>;
}

/** Counts by kind over the last seconds. Times are in milliseconds, and do not go back. */
export class Rates<K> {
  private readonly list: Second<K>[] = [];

  count(kind: K, now: number): void {
    const at = Math.floor(now / 1000);
    let last = this.list.at(-1);
    if (last?.at !== at) {
      last = { at, counts: new Map() };
      this.list.push(last);
      if (this.list.length > seconds + 1) this.list.shift();
    }
    last.counts.set(kind, (last.counts.get(kind) ?? 0) + 1);
  }

  /** A second, as a mean over those that are over. */
  of(kind: K, now: number): number {
    return this.mean(now, ({ counts }) => counts.get(kind) ?? 0);
  }

  all(now: number): number {
    return this.mean(now, ({ counts }) => [...counts.values()].reduce((sum, n) => sum + n, 0));
  }

  private mean(now: number, read: (second: Second<K>) => number): number {
    const current = Math.floor(now / 1000);
    const over = this.list.filter(({ at }) => at < current && at >= current - seconds);
    return over.reduce((sum, second) => sum + read(second), 0) / seconds;
  }
}
