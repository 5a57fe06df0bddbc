/** Samples of the usage by which an order with a half-life compares, for as long as a queue is looked at. */

import { typesOf } from "../model/quantities";
import type { Chart } from "../see/timelines-series";
import { amount, share } from "../ui/format";
import { amountsOf, type AgedObject, type QueueObject } from "./host/objects";

/** Those in between go first. */
const most = 600;
/** So many lines can be told apart. */
const mostLines = 7;

interface AgedSample {
  /** Seconds since 1970. */
  readonly at: number;
  readonly queue: QueueObject;
  /** It and those that it is compared with. */
  readonly among: readonly QueueObject[];
}

const kept = new Map<string, readonly AgedSample[]>();

export function addAged(sample: AgedSample): readonly AgedSample[] {
  const { queue } = sample.queue;
  const before = kept.get(queue) ?? [];
  if ((before.at(-1)?.at ?? -Infinity) >= sample.at) return before;
  const all = [...before, sample];
  const list = all.length > most ? all.filter((_, i) => i % 2 === 0 || i === all.length - 1) : all;
  kept.set(queue, list);
  return list;
}

/** Forgets all, for tests. */
export function forgetAged(): void {
  kept.clear();
}

/** Whether its usage ages, or that of its users. */
export function ages({ aged, users = [] }: Pick<QueueObject, "aged" | "users">): boolean {
  return aged?.half_life !== undefined || users.some(({ half_life: half }) => half !== undefined);
}

/** Its usage and aged usage by type, its share beside those of its siblings, and the shares of its users. */
export function agedCharts(samples: readonly AgedSample[]): readonly Chart[] {
  const last = samples.at(-1);
  if (!last) return [];
  const charts: Chart[] = [];
  const line = (label: string, value: (one: AgedSample) => number | undefined) => ({ label, form: "steps" as const, values: samples.map((one) => value(one) ?? null) });
  if (last.queue.aged?.half_life !== undefined) {
    for (const type of typesOf(amountsOf(last.queue.aged.aged), amountsOf(last.queue.used)).slice(0, 3)) {
      const of = (set: (one: QueueObject) => Parameters<typeof amountsOf>[0]) => (one: AgedSample) => amountsOf(set(one.queue))[type] ?? 0;
      charts.push({ title: `Use of ${type}`, say: (value) => amount(type, Math.round(value)), lines: [line("now", of(({ used }) => used)), line("aged", of(({ aged }) => aged?.aged)), line("compared", of(({ aged }) => aged?.compared))] });
    }
    charts.push({ title: "Share that is compared", say: share, lines: largest(last.among, ({ queue }) => queue).map((path) => line(path, ({ among }) => shareOf(among.find(({ queue }) => queue === path)?.aged))) });
  }
  const users = (last.queue.users ?? []).map((one) => ({ name: one.user, aged: one }));
  if (users.length > 0) {
    charts.push({ title: "Share of users", say: share, lines: largest(users, ({ name }) => name).map((name) => line(name || "no user", ({ queue }) => shareOf(queue.users?.find(({ user }) => user === name)))) });
  }
  return charts;
}

function shareOf(aged: AgedObject | undefined): number | undefined {
  return aged && aged.share_billionths / 1e9;
}

/** The names of those with the largest shares. */
function largest<T extends { readonly aged?: AgedObject }>(list: readonly T[], nameOf: (one: T) => string): string[] {
  return [...list].sort((a, b) => (shareOf(b.aged) ?? 0) - (shareOf(a.aged) ?? 0)).slice(0, mostLines).map(nameOf);
}
