/** Which decisions the stream shows. */

import type { Decision } from "../engine/types";
import type { Model } from "../model/model";
import type { Selection } from "../state/store";
import { about } from "./stream-touch";
import { kindOf, type Kind } from "./words";

interface Filter {
  /** Empty: all kinds. */
  readonly kinds: ReadonlySet<Kind>;
  /** Only what has to do with this. */
  readonly selection?: Selection | undefined;
}

/** In their order; the earlier ones end where the recent ones begin. */
export function filtered(earlier: readonly Decision[], recent: readonly Decision[], filter: Filter, model: Model): readonly Decision[] {
  const [first] = recent;
  const before = first ? earlier.filter((d) => d.seq < first.seq) : [];
  const touches = filter.selection && about(filter.selection, model);
  if (!touches && filter.kinds.size === 0 && before.length === 0) return recent;
  // What is about the selection hears of all decisions, since it learns from them.
  return [...before, ...recent].filter((d) => (!touches || touches(d)) && (filter.kinds.size === 0 || filter.kinds.has(kindOf(d))));
}

/** Whether earlier decisions lead up to the recent ones without a gap. */
export function leadsUp(earlier: readonly Decision[], recent: readonly Decision[]): boolean {
  const last = earlier.at(-1);
  const [first] = recent;
  return last !== undefined && first !== undefined && first.seq <= last.seq + 1;
}

/** Whether decisions go on where others were: none was taken back, and none is missing between them. */
export function goesOn(before: readonly Decision[], now: readonly Decision[]): boolean {
  const last = before.at(-1);
  return last === undefined || ((now.at(-1)?.seq ?? 0) >= last.seq && leadsUp(before, now));
}

/** Where a decision stands in a list, or where it would; undefined: where it was. */
export function placeOf(decision: Decision | undefined, list: readonly Decision[], otherwise: number): number {
  if (!decision) return otherwise;
  const at = list.findIndex((d) => d.seq >= decision.seq);
  return at < 0 ? list.length : at;
}

/** The rows that are in sight, with a few more on both sides. */
export function inSight(count: number, scrollTop: number, height: number, row: number): { from: number; to: number } {
  const spare = 6;
  const from = Math.max(0, Math.floor(scrollTop / row) - spare);
  return { from: Math.min(from, count), to: Math.min(count, Math.ceil((scrollTop + height) / row) + spare) };
}

/** The time of day of an absolute time, and a relative one as it is. */
export function timeOf(at: string): string {
  const clock = /T(\d\d:\d\d:\d\d)/.exec(at);
  return clock?.[1] ?? at.replace(/(\.\d{1,3})\d*s$/, "$1s");
}

/** What was decided since, in a sentence, for those who listen. */
export function spoken(news: readonly Decision[], say: (d: Decision) => string): string {
  if (news.length <= 4) return news.map((d) => `${say(d)}.`).join(" ");
  const of = (kind: Kind) => news.filter((d) => kindOf(d) === kind).length;
  const parts = [[of("placed"), "placed"], [of("ended"), "ended"], [of("preempted"), "about preemption"], [of("refused"), "refused"]] as const;
  return `${news.length} decisions: ${parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`).join(", ") || "none placed"}.`;
}
