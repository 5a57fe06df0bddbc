/** Which decisions the stream shows. */

import type { Decision } from "../engine/types";
import { parseDuration } from "../model/times";
import type { Model } from "../model/model";
import type { Selection } from "../state/store";
import { precise } from "../ui/format";
import { about } from "./stream-touch";
import { kindOf, type Kind } from "./words";

/** All that are at hand in their order, of those about something where it is given; the earlier ones end where the recent ones begin. */
export function listed(earlier: readonly Decision[], recent: readonly Decision[], only: Selection | undefined, model: Model): readonly Decision[] {
  const [first] = recent;
  const before = first ? earlier.filter((d) => d.seq < first.seq) : [];
  const all = before.length === 0 ? recent : [...before, ...recent];
  // What is about the selection hears of all decisions, since it learns from them.
  return only ? all.filter(about(only, model)) : all;
}

/** Those of some kinds; none chosen: all. */
export function ofKinds(decisions: readonly Decision[], kinds: ReadonlySet<Kind>): readonly Decision[] {
  return kinds.size === 0 ? decisions : decisions.filter((d) => kinds.has(kindOf(d)));
}

/** How many there are of each kind. */
export function tally(decisions: readonly Decision[]): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const d of decisions) {
    const kind = kindOf(d);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
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

/** The time of day of an absolute time, and a relative one rounded. */
export function timeOf(at: string): string {
  const clock = /T(\d\d:\d\d:\d\d)/.exec(at);
  if (clock?.[1]) return clock[1];
  const relative = parseDuration(at);
  return relative === undefined ? at : precise(relative);
}

/** The same as a clock, with as many digits behind the point in each row: "1:30.000", "2:05:10.250". */
export function clockTimeOf(at: string): string {
  const relative = parseDuration(at);
  if (relative === undefined) return timeOf(at);
  const milliseconds = Math.round(relative / 1e6);
  const [hours, minutes] = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60];
  const seconds = ((milliseconds % 60_000) / 1000).toFixed(3).padStart(6, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

/** The same with the date of an absolute time. */
export function dateAndTimeOf(at: string): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(.*)$/.exec(at);
  if (!found) return timeOf(at);
  const [, date = "", time = "", fraction = "", zone = ""] = found;
  return `${date} ${time}${fraction.replace(/\.?0+$/, "")} ${zone === "Z" ? "UTC" : zone}`;
}

/** What was decided since, in a sentence, for those who listen. */
export function spoken(news: readonly Decision[], say: (d: Decision) => string): string {
  if (news.length <= 4) return news.map((d) => `${say(d)}.`).join(" ");
  const of = (kind: Kind) => news.filter((d) => kindOf(d) === kind).length;
  const parts = [[of("placed"), "placed"], [of("ended"), "ended"], [of("preempted"), "about preemption"], [of("refused"), "refused"]] as const;
  return `${news.length} decisions: ${parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`).join(", ") || "none placed"}.`;
}
