/** The cluster over time, for the chart: out of the model, of what has ended, and of what is known of the time to come. */

import type { Model } from "../model/model";
import type { Span, Spans } from "../spans/span";
import type { Ahead, Past } from "../state/shapes";
import { reasonWords, words } from "./words";

/** What is drawn of the past: the last of it. */
const mostPast = 2000;

export function spansOf(model: Pick<Model, "nodes" | "apps" | "asks">, now: number, past: readonly Past[], { ends, plans, windows }: Ahead): Spans {
  const spans: Span[] = past.slice(-mostPast).map(({ reason, ...one }) => ({ ...one, kind: "ended", why: endWords(reason) }));
  for (const node of model.nodes.values()) {
    for (const { id, app, allocated = 0, leaves, leaving } of node.allocations.values()) {
      const until = ends.get(id);
      const late = until !== undefined && until <= now && now > 0;
      spans.push({
        ask: id, app, queue: model.apps.get(app)?.queue ?? "", node: node.id, from: allocated, until, kind: late ? "late" : leaves ? "leaves" : "runs",
        why: leaves ? (leaving === undefined ? "it was told to leave" : `it leaves for ${leaving}`) : "",
      });
    }
  }
  for (const { ask: id, node, start, ends: until, reason } of plans) {
    const ask = model.asks.get(id);
    if (!ask || ask.node !== undefined) continue;
    spans.push({ ask: id, app: ask.app, queue: model.apps.get(ask.app)?.queue ?? "", node, from: start, until, kind: "planned", why: reason === "" || reason === "planned" ? "" : reasonWords(reason) });
  }
  return { now, nodes: [...model.nodes.keys()], spans, windows };
}

/** Why an allocation has ended: "it finished". */
export function endWords(reason: string): string {
  return words({ seq: 0, at: "", type: "release", id: "it", reason });
}
