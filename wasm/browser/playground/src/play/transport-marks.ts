/** The ticks of the scrubber: where allocations were told to leave, and where the configuration changed. */

import { count } from "../ui/format";
import type { TimeMarks } from "../state/shapes";

/** The width of the drawing that the paths are for. */
export const ticksWide = 1000;

/** A path with a line from top to bottom for each of some times up to an end. Times that fall on one place are one line. */
export function ticksAt(times: readonly number[], end: number, top: number, bottom: number): string {
  const places = new Set(times.filter((time) => time <= end).map((time) => Math.round((ticksWide * time) / end)));
  return [...places].map((x) => `M${x} ${top}V${bottom}`).join("");
}

/** "2 preemptions and 1 change of the configuration are marked"; empty: nothing is. */
export function marksWords({ preemptions, reloads }: TimeMarks): string {
  const parts = [
    ...(preemptions.length > 0 ? [count(preemptions.length, "preemption")] : []),
    ...(reloads.length > 0 ? [count(reloads.length, "change of the configuration", "changes of the configuration")] : []),
  ];
  return parts.length === 0 ? "" : `${parts.join(" and ")} ${preemptions.length + reloads.length === 1 ? "is" : "are"} marked`;
}

/** The first of some times behind the present; undefined: none is known. */
export function nextOf(times: readonly number[], now: number): number | undefined {
  return times.find((time) => time > now);
}
