/** What ran, runs and is planned on the nodes of the host, for the chart. Its times are nanoseconds since 1970. */

import type { Decision } from "../../engine/types";
import { parseDuration } from "../../model/times";
import { reasonWords, words } from "../../see/words";
import type { Span, WindowSpan } from "../../spans/span";
import type { AskObject, PlannedObject, WindowObject } from "./objects";
import { nanoseconds } from "./times";

/** Of an allocation: what it is at a time. */
export function runningSpan({ ask, app, queue, node = "", state, submitted, allocated = submitted, ends, leaving_for: leaving }: AskObject, now: number): Span {
  const until = ends === undefined ? undefined : nanoseconds(ends);
  const late = until !== undefined && until <= now;
  const leaves = state === "leaving";
  return {
    ask, app, queue, node, from: nanoseconds(allocated), until, kind: late ? "late" : leaves ? "leaves" : "runs",
    why: leaves ? (leaving === undefined ? "it was told to leave" : `it leaves for ${leaving}`) : "",
  };
}

/** Of a pending ask: its planned start, if it has one. */
export function plannedSpan({ ask, app, queue, walltime, planned_start: planned }: AskObject): Span | undefined {
  if (!planned) return undefined;
  const { start, node, reason = "" }: PlannedObject = planned;
  const from = nanoseconds(start);
  const runs = parseDuration(walltime ?? "") ?? 0;
  return { ask, app, queue, node, from, until: runs > 0 ? from + runs : undefined, kind: "planned", why: reason === "" || reason === "planned" ? "" : reasonWords(reason) };
}

/** What has ended, as far as both its allocation and its end were heard. */
export function endedSpans(decisions: readonly Decision[]): readonly Span[] {
  const made = new Map<string, Decision>();
  const spans: Span[] = [];
  for (const d of decisions) {
    const { type, id = "", at, reason = "" } = d;
    if (type === "allocation") made.set(id, d);
    const of = type === "release" ? made.get(id) : undefined;
    if (!of) continue;
    made.delete(id);
    spans.push({ ask: id, app: of.app ?? "", queue: of.queue ?? "", node: of.node ?? "", from: nanoseconds(of.at), until: nanoseconds(at), kind: "ended", why: words({ seq: 0, at, type, id: "it", reason }) });
  }
  return spans;
}

/** One that does not open any more has none. */
export function windowSpan({ window, open, from, until, every, nodes, queues, users, groups }: WindowObject): WindowSpan | undefined {
  if (from === undefined) return undefined;
  return {
    window, open, from: nanoseconds(from), until: until === undefined ? undefined : nanoseconds(until), every: every === undefined ? undefined : parseDuration(every), nodes,
    names: [...queues.map((name) => `queue ${name}`), ...users.map((name) => `user ${name}`), ...groups.map((name) => `group ${name}`)].join(", "),
  };
}
