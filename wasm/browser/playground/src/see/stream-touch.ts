/** What a decision touches, and whether that has to do with what is picked. */

import type { Decision } from "../engine/types";
import type { Model } from "../model/model";
import { shownPath, splitPath } from "../model/paths";
import type { Selection } from "../state/store";

interface Touched {
  readonly asks: readonly string[];
  readonly app?: string;
  readonly node?: string;
  readonly queue?: string;
}

/** What a decision names, whichever field its type has it in; its queue by the path that is shown. */
export function touched(d: Decision, model: Model): Touched {
  const named = fields(d);
  return named.queue === undefined ? named : { ...named, queue: shownPath(partitionOf(d, named, model), named.queue) };
}

/** Most decisions leave their partition out: it is that of their node, or of their application. */
function partitionOf(d: Decision, { app, node, asks: [ask] }: Touched, { apps, nodes, asks }: Model): string | undefined {
  const owner = apps.get(app ?? asks.get(ask ?? "")?.app ?? "");
  return d.partition ?? nodes.get(node ?? "")?.partition ?? splitPath(owner?.queue ?? "").partition;
}

function fields(d: Decision): Touched {
  switch (d.type) {
    case "node.accepted":
    case "node.rejected":
      return { asks: [], node: d.id };
    case "app.accepted":
    case "app.rejected":
    case "app.state":
      return { asks: [], app: d.id, queue: d.queue };
    case "app.moved":
      return { asks: [], app: d.id, queue: d.to };
    case "queue.state":
      return { asks: [], queue: d.queue };
    case "ignored":
      return ofInput(d);
  }
  return { asks: [d.id, d.for].filter((id) => id !== undefined), app: d.app, node: d.node, queue: d.queue };
}

function ofInput(d: Decision): Touched {
  if (d.input?.startsWith("node.")) return { asks: [], node: d.id };
  if (d.input?.startsWith("app.")) return { asks: [], app: d.id };
  return { asks: d.id === undefined ? [] : [d.id] };
}

/**
 * Tells of decisions, given in their order, which ones have to do with the selection. An ask that is gone is known only by the
 * decision that placed it, so the answer remembers what it has seen.
 */
export function about(selection: Selection, model: Model): (d: Decision) => boolean {
  const apps = new Map<string, string>();
  const queues = new Map<string, string>();
  const appOf = (ask: string) => apps.get(ask) ?? model.asks.get(ask)?.app;
  const queueOf = (app: string | undefined) => (app === undefined ? undefined : queues.get(app) ?? model.apps.get(app)?.queue);

  return (d) => {
    const t = touched(d, model);
    const [ask] = t.asks;
    if (ask !== undefined && t.app !== undefined) apps.set(ask, t.app);
    const queue = t.queue && inPartitionOf(queueOf(t.app), t.queue);
    if (t.app !== undefined && queue !== undefined) queues.set(t.app, queue);
    const itsApps = [t.app, ...t.asks.map(appOf)];
    switch (selection.kind) {
      case "decision":
        return d.seq === selection.decision.seq || t.asks.some((id) => touched(selection.decision, model).asks.includes(id));
      case "ask":
        return t.asks.includes(selection.id);
      case "app":
        return itsApps.includes(selection.id);
      case "node":
        return t.node === selection.id;
      case "queue":
        return [queue, ...itsApps.map(queueOf)].some((queue) => queue !== undefined && within(queue, selection.id));
    }
  };
}

/** The path of a queue that has an application which was in another queue before: of one that is gone no more than that tells the partition. */
function inPartitionOf(before: string | undefined, queue: string): string {
  const { partition, path } = splitPath(queue);
  return shownPath(partition ?? splitPath(before ?? "").partition, path);
}

/** Reports whether a queue is another one or below it. */
export function within(queue: string, above: string): boolean {
  return queue === above || queue.startsWith(`${above}.`);
}
