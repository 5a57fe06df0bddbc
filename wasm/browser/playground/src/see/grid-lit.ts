/** What lights up on the grid: what is picked, or what a dry run would do. All else steps back. */

import type { AskModel, Model, NodeModel } from "../model/model";
import type { Overlay, Selection } from "../state/store";
import { touched, within } from "./stream-touch";

export interface Lit {
  /** Whether an allocation stands out. */
  readonly ask: (ask: AskModel) => boolean;
  /** Whether a node has a ring. */
  readonly node: (node: NodeModel) => boolean;
}

/** Undefined: nothing is picked, or nothing that is on the grid, and all is equal. */
export function litBy(selection: Selection | undefined, overlay: Overlay | undefined, model: Model): Lit | undefined {
  if (overlay) {
    const victims = new Set(overlay.victims);
    return { ask: (ask) => victims.has(ask.id), node: (node) => node.id === overlay.node };
  }
  const lit = selection && bySelection(selection, model);
  return lit && shines(lit, model) ? lit : undefined;
}

function shines({ ask, node }: Lit, { nodes }: Model): boolean {
  for (const one of nodes.values()) {
    if (node(one)) return true;
    for (const allocation of one.allocations.values()) if (ask(allocation)) return true;
  }
  return false;
}

function bySelection(selection: Selection, model: Model): Lit {
  const { id } = selection;
  switch (selection.kind) {
    case "queue":
      return { ask: inQueue(id, model), node: none };
    case "app":
      return { ask: (ask) => ask.app === id, node: none };
    case "ask":
      return { ask: (ask) => ask.id === id || ask.leaving === id, node: (node) => node.allocations.has(id) || node.reserved === id || node.kept === id };
    case "node":
      return { ask: (ask) => ask.node === id, node: (node) => node.id === id };
    case "decision":
      return byDecision(selection, model);
  }
}

function byDecision(selection: Extract<Selection, { kind: "decision" }>, model: Model): Lit {
  const { asks, app, node, queue } = touched(selection.decision, model);
  const ring = (one: NodeModel) => one.id === node;
  if (asks.length > 0) return { ask: (ask) => asks.includes(ask.id), node: ring };
  if (app !== undefined) return { ask: (ask) => ask.app === app, node: ring };
  if (queue !== undefined) return { ask: inQueue(queue, model), node: ring };
  return { ask: (ask) => ask.node === node, node: ring };
}

function inQueue(queue: string, model: Model): (ask: AskModel) => boolean {
  return (ask) => within(model.apps.get(ask.app)?.queue ?? "", queue);
}

function none(): boolean {
  return false;
}
