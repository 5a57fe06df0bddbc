/** How often each value came. Waits repeat a great deal, so that is far less than one number an ask. */
export class Tally {
  total = 0;
  private sum = 0;
  private readonly times = new Map<number, number>();
  private sorted: readonly (readonly [value: number, times: number])[] | undefined;

  add(value: number): void {
    this.total++;
    this.sum += value;
    this.times.set(value, (this.times.get(value) ?? 0) + 1);
    this.sorted = undefined;
  }

  /** Of an empty tally 0, as are all figures of one. */
  get mean(): number {
    return this.total > 0 ? this.sum / this.total : 0;
  }

  /** The value of the nearest rank: the smallest one that at least so many percent of all do not exceed. */
  percentile(percent: number): number {
    let rank = Math.ceil((this.total * percent) / 100);
    for (const [value, times] of this.ascending()) if ((rank -= times) <= 0) return value;
    return 0;
  }

  get most(): number {
    return this.percentile(100);
  }

  /** Values in ascending order, each with the share of all that do not exceed it; thinned to so many at most, the last one kept. */
  distribution(most: number): readonly (readonly [value: number, share: number])[] {
    const all = this.ascending();
    const every = Math.ceil(all.length / most);
    const points: (readonly [number, number])[] = [];
    let passed = 0;
    for (const [i, [value, times]] of all.entries()) {
      passed += times;
      if ((all.length - 1 - i) % every === 0) points.push([value, passed / this.total]);
    }
    return points;
  }

  private ascending(): readonly (readonly [number, number])[] {
    this.sorted ??= [...this.times].sort(([a], [b]) => a - b);
    return this.sorted;
  }
}
