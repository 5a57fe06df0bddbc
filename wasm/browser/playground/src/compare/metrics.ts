/** What a run comes to, followed line by line; nothing of the lines is kept but the first place of each ask. The figures are those of host/whatif. */

import type { Decision } from "../engine/types";
import type { Line } from "../model/lines";
import { second } from "../model/times";
import { Books, type AskBook, type Watcher } from "./books";
import { Mean, Samples } from "./levels";
import { Shape, stranded } from "./stranded";
import { Tally } from "./tally";

/** Times are in seconds. */
export interface Figures {
  readonly decisions: number;
  readonly allocated: number;
  /** At the end. */
  readonly pending: number;
  readonly preempted: number;
  /** Policies that did not answer properly. */
  readonly faults: number;
  /** Why the first configuration that was refused was; undefined: none was. */
  readonly refused: string | undefined;
  /** Of the asks that were allocated. */
  readonly waits: { readonly mean: number; readonly p50: number; readonly p95: number; readonly p99: number; readonly most: number };
  /** From the start to the last allocation that was made or ended. */
  readonly makespan: number;
  /** By type: part of the capacity, mean over time. */
  readonly used: Readonly<Record<string, number>>;
  /** By type: part of the capacity that is free where no waiting ask fits, mean over time. */
  readonly stranded: Readonly<Record<string, number>>;
  /** 1: every leaf queue got the same part of what it wanted. */
  readonly fairness: number;
  readonly curves: Curves;
  /** By ask: where it first went. */
  readonly placed: ReadonlyMap<string, Placement>;
}

/** Over the time of the run: each value is the mean since the time before it. */
export interface Curves {
  readonly times: readonly number[];
  readonly pending: readonly number[];
  readonly used: Readonly<Record<string, readonly number[]>>;
  readonly stranded: Readonly<Record<string, readonly number[]>>;
  /** Waits in ascending order, each with the share of all that do not exceed it. */
  readonly waits: readonly (readonly [seconds: number, share: number])[];
}

export interface Placement {
  readonly node: string;
  /** Seconds. */
  readonly at: number;
}

/** Points of the curve of waits. */
const mostWaits = 400;

/** Watches a run. */
export class Measure implements Watcher {
  private readonly books = new Books(this);
  private readonly used: Mean[] = [];
  private readonly stranded: Mean[] = [];
  /** By leaf queue: how many of its asks run, of those that would. */
  private readonly served = new Map<string, Mean>();
  private readonly samples = new Samples();
  private readonly waits = new Tally();
  private readonly placedFirst = new Map<string, Placement>();
  private unlooked = 0; // seconds since stranded room was looked for
  private decisions = 0;
  private preempted = 0;
  private faults = 0;
  private refused: string | undefined;
  private moved = 0; // when something last came or went

  line(line: Line): void {
    this.books.line(line);
  }

  placed(ask: AskBook): void {
    const { now } = this.books;
    this.moved = now;
    this.waits.add(now - ask.submitted);
    if (ask.node && !this.placedFirst.has(ask.id)) this.placedFirst.set(ask.id, { node: ask.node.id, at: now / second });
  }

  left(): void {
    this.moved = this.books.now;
  }

  decided(d: Decision): void {
    this.decisions++;
    if (d.type === "preemption") this.preempted++;
    if (d.type === "policy.fault") this.faults++;
    if (d.type === "config.rejected") this.refused ??= d.errors?.[0] ?? d.message ?? "it has errors";
  }

  until(next: number): void {
    const held = (next - this.books.now) / second;
    this.unlooked += held;
    if (this.samples.due(held)) this.look(next / second, held);
    else this.hold(next / second, held, []);
  }

  /** What the run came to, which ended at this time in nanoseconds. */
  figures(end: number): Figures {
    this.books.finish(end);
    this.look(this.books.now / second, 0);
    const { types } = this.books;
    const byType = <T>(value: (i: number) => T) => Object.fromEntries(types.map((type, i) => [type, value(i)]));
    const w = this.waits;
    return {
      decisions: this.decisions, allocated: w.total, pending: this.books.pending, preempted: this.preempted, faults: this.faults, refused: this.refused,
      waits: { mean: w.mean / second, p50: w.percentile(50) / second, p95: w.percentile(95) / second, p99: w.percentile(99) / second, most: w.most / second },
      makespan: this.moved / second,
      used: byType((i) => this.used[i]?.mean ?? 0), stranded: byType((i) => this.stranded[i]?.mean ?? 0),
      fairness: this.fairness(), curves: this.curves(byType), placed: this.placedFirst,
    };
  }

  /** Looks for stranded room, which takes too long to be done at every moment: what is found stands for the time since the last look. */
  private look(end: number, held: number): void {
    const { books } = this;
    const room = stranded(books.types.length, books.nodes.values(), Shape.waiting(books.shapes.values(), books.capacity));
    for (const [i, amount] of room.entries()) (this.stranded[i] ??= new Mean()).add(amount, books.capacity[i] ?? 0, this.unlooked);
    this.hold(end, held, room.map((amount) => amount * this.unlooked));
    this.unlooked = 0;
  }

  /** Holds all levels for some seconds; of stranded room, sums over time. */
  private hold(end: number, held: number, room: readonly number[]): void {
    const { books } = this;
    for (const i of books.types.keys()) (this.used[i] ??= new Mean()).add(books.used[i] ?? 0, books.capacity[i] ?? 0, held);
    for (const q of books.queues.values()) {
      const wanted = q.running + q.pending;
      if (q.leaf && wanted > 0) this.servedOf(q.path).add(q.running / wanted, 1, held);
    }
    const sums = [books.pending * held];
    for (const i of books.types.keys()) sums.push((books.used[i] ?? 0) * held, (books.capacity[i] ?? 0) * held, room[i] ?? 0);
    this.samples.add(end, held, sums);
  }

  private servedOf(path: string): Mean {
    let mean = this.served.get(path);
    if (!mean) this.served.set(path, (mean = new Mean()));
    return mean;
  }

  /** Jain's index over the leaf queues that wanted anything: the square of the sum by the number times the sum of squares. */
  private fairness(): number {
    const served = [...this.served.values()].map((queue) => queue.mean);
    const sum = served.reduce((all, one) => all + one, 0);
    const squares = served.reduce((all, one) => all + one * one, 0);
    return squares === 0 ? 1 : (sum * sum) / (served.length * squares);
  }

  private curves(byType: <T>(value: (i: number) => T) => Record<string, T>): Curves {
    const { samples } = this;
    const share = (part: number, whole: number) => samples.values((sums) => ((sums[whole] ?? 0) > 0 ? (sums[part] ?? 0) / (sums[whole] ?? 1) : 0));
    return {
      times: samples.times,
      pending: samples.values((sums, held) => (sums[0] ?? 0) / held),
      used: byType((i) => share(1 + 3 * i, 2 + 3 * i)),
      stranded: byType((i) => share(3 + 3 * i, 2 + 3 * i)),
      waits: this.waits.distribution(mostWaits).map(([wait, of]) => [wait / second, of]),
    };
  }
}
