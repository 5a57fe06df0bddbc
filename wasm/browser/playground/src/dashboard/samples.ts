/** How the cluster was doing, as samples: since the page was opened, and as far back as decisions tell. */

import { signal } from "@preact/signals";
import type { QueueDump } from "../engine/types";
import { inOrder } from "../model/quantities";
import type { Chart } from "../see/timelines-series";
import { count, share } from "../ui/format";

/** Beyond so many every other one goes. */
const most = 1200;
/** What is so many times as high as nearly all the rest is cut off in its chart. */
const spike = 5;

/** Times are in seconds since 1970, by the host's clock. */
export interface Sample {
  readonly at: number;
  /** Of what all nodes have, by type; left out: it was not sampled then. */
  readonly used?: Readonly<Record<string, number>>;
  readonly pending?: number;
  readonly allocations: number;
  /** A second, until the next sample. */
  readonly decisions: number;
}

/** What is counted at a moment. */
interface Counted {
  readonly at: number;
  /** The roots of all partitions. */
  readonly roots: readonly QueueDump[];
  /** The last decision. */
  readonly seq: number;
}

export class Samples {
  /** Goes up with each change. */
  readonly taken = signal(0);
  /** The first moment that was counted: before it there is what decisions tell. */
  first: { readonly at: number; readonly seq: number; readonly allocations: number } | undefined;
  private list: readonly Sample[] = [];
  private last: Counted | undefined;

  /** Takes a sample. */
  add(now: Counted): void {
    const { at, roots, seq } = now;
    if (this.last && at <= this.last.at) return; // the clock was set back
    const sum = (of: (root: QueueDump) => number | undefined) => roots.reduce((all, root) => all + (of(root) ?? 0), 0);
    const used: Record<string, number> = {};
    for (const type of new Set(roots.flatMap(({ max }) => Object.keys(max ?? {})))) {
      const all = sum(({ max }) => max?.[type]);
      used[type] = all > 0 ? sum((root) => root.used?.[type]) / all : 0;
    }
    const allocations = sum((root) => root.allocations);
    this.first ??= { at, seq, allocations };
    const decisions = this.last ? Math.max(0, seq - this.last.seq) / (at - this.last.at) : 0;
    this.last = now;
    this.list = thinned([...this.upTo(decisions), { at, used, pending: sum(({ pendingAsks }) => pendingAsks), allocations, decisions }]);
    this.taken.value++;
  }

  /** Those so far: how many decisions came behind the last one is known with the next. */
  private upTo(decisions: number): readonly Sample[] {
    const last = this.list.at(-1);
    return last ? [...this.list.slice(0, -1), { ...last, decisions }] : [];
  }

  /** Takes what decisions tell of the time before the first sample. */
  begin(earlier: readonly Sample[]): void {
    this.list = [...earlier, ...this.list];
    this.taken.value++;
  }

  /** Forgets all: the host has restarted. */
  clear(): void {
    [this.list, this.first, this.last] = [[], undefined, undefined];
    this.taken.value++;
  }

  get time(): readonly number[] {
    return this.list.map(({ at }) => at);
  }

  get charts(): readonly Chart[] {
    const types = inOrder(new Set(this.list.flatMap(({ used }) => Object.keys(used ?? {}))));
    const line = (label: string, value: (one: Sample) => number | undefined) => ({ label, form: "steps" as const, values: this.list.map((one) => value(one) ?? null) });
    const [usual, highest] = [0.98, 1].map((part) => quantile(this.list.map(({ decisions }) => decisions), part)) as [number, number];
    const [per, seconds] = usual >= 1 ? ["a second", 1] as const : ["a minute", 60] as const;
    const top = usual > 0 && highest > spike * usual ? { top: 1.5 * usual * seconds } : {}; // the rest would be a flat line
    const rate = (value: number) => (value >= 10 || value === 0 ? Math.round(value).toLocaleString("en") : value.toFixed(1));
    return [
      { title: "In use", top: 1, say: share, lines: types.map((type) => line(type, ({ used }) => used && (used[type] ?? 0))) },
      { title: "Pending asks", say: (value) => count(Math.round(value), "ask"), lines: [line("pending", ({ pending }) => pending)] },
      { title: "Allocations", say: (value) => Math.round(value).toLocaleString("en"), lines: [line("allocations", ({ allocations }) => allocations)] },
      { title: `Decisions ${per}`, say: rate, ...top, lines: [line("decisions", ({ decisions }) => decisions * seconds)] },
    ];
  }
}

/** The value that a part of the values do not exceed. */
function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0;
}

function thinned(list: readonly Sample[]): readonly Sample[] {
  return list.length > most ? list.filter((_, i) => i % 2 === 0 || i === list.length - 1) : list;
}
