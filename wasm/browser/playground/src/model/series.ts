import type { SessionSeries } from "../state/shapes";
import type { Cluster } from "./cluster";
import { second } from "./times";

const most = 4000; // samples: beyond it every other one goes

/**
 * Samples of a model over the time of the session, bounded: the longer it runs, the further they are apart. The last one
 * is always of now. While a known stretch is played again, nothing is added.
 */
export class Series implements SessionSeries {
  readonly time: number[] = [];
  readonly used = new Map<string, number[]>();
  readonly pending: number[] = [];
  readonly oldest: number[] = [];
  readonly waited: number[] = [];
  private readonly waits: number[] = []; // how many waits each mean of waited is of
  private spacing = 0; // seconds, at least
  private again = false; // a known stretch is played

  /** The time up to which there are samples, in seconds; before the first: -1. */
  get until(): number {
    return this.time.at(-1) ?? -1;
  }

  /** Looks at the model at a time, in nanoseconds, to which everything was applied. */
  sample(cluster: Cluster, now: number): void {
    const at = now / second;
    const { sum, count } = cluster.waits;
    cluster.waits = { sum: 0, count: 0 };
    if (at < this.until || (at === this.until && this.again)) return;
    this.again = false;
    const i = this.place(at);
    this.put(i, cluster, at);
    this.addWaits(i, sum / second, count);
    if (this.time.length > most) this.thin();
  }

  /** The session went to another time: what comes is added only once it is new. */
  travelled(): void {
    this.again = true;
  }

  /** Forgets what lies behind a time, in nanoseconds: it will come otherwise. */
  cut(now: number): void {
    const at = now / second;
    let kept = this.time.length;
    while (kept > 0 && (this.time[kept - 1] ?? 0) > at) kept--;
    for (const list of this.lists()) list.length = kept;
    this.again = false;
  }

  clear(): void {
    this.cut(-Infinity);
    this.used.clear();
    this.spacing = 0;
  }

  private lists(): number[][] {
    return [this.time, this.pending, this.oldest, this.waited, this.waits, ...this.used.values()];
  }

  /** Where a sample of a time goes: in the place of the last one, while that is too close to the one before. */
  private place(at: number): number {
    const last = this.time.length - 1;
    const near = last >= 0 && (at === this.time[last] || (last > 0 && at - (this.time[last - 1] ?? 0) < this.spacing));
    if (near) return last;
    this.waited.push(NaN);
    this.waits.push(0);
    return last + 1;
  }

  private put(i: number, cluster: Cluster, at: number): void {
    this.time[i] = at;
    this.pending[i] = cluster.pending;
    this.oldest[i] = cluster.oldest ? at - cluster.oldest.submitted / second : 0;
    for (const type in cluster.capacity) if (!this.used.has(type)) this.used.set(type, new Array<number>(i).fill(0));
    for (const [type, shares] of this.used) {
      const capacity = cluster.capacity[type] ?? 0;
      shares[i] = capacity > 0 ? (cluster.used[type] ?? 0) / capacity : 0;
    }
  }

  private addWaits(i: number, sum: number, count: number): void {
    if (count === 0) return;
    const before = this.waits[i] ?? 0;
    const known = before > 0 ? (this.waited[i] ?? 0) * before : 0;
    this.waits[i] = before + count;
    this.waited[i] = (known + sum) / (before + count);
  }

  /** Drops every other sample; the waits of a dropped one go to the next. */
  private thin(): void {
    const last = this.time.length - 1;
    const kept = this.time.map((_, i) => i).filter((i) => i % 2 === 0 || i === last);
    for (let i = 1; i < last; i += 2) {
      const waits = this.waits[i] ?? 0;
      this.addWaits(i + 1, (this.waited[i] ?? 0) * waits, waits);
    }
    for (const list of this.lists()) {
      kept.forEach((from, to) => { list[to] = list[from] ?? 0; });
      list.length = kept.length;
    }
    this.spacing = Math.max(2 * this.spacing, (this.until - (this.time[0] ?? 0)) / (most / 2));
  }
}
