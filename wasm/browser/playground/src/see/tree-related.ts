import type { Model } from "../model/model";
import type { Selection } from "../state/store";
import { touched } from "./stream-touch";

/** Which rows light up: the one that is picked, and those that have to do with it. */
export interface Related {
  readonly picked: string | undefined;
  readonly beside: ReadonlySet<string>;
}

export function relatedTo(selection: Selection | undefined, model: Model): Related {
  if (selection?.kind === "queue" || selection?.kind === "app") return { picked: selection.id, beside: new Set() };
  return { picked: undefined, beside: new Set(selection ? beside(selection, model) : []) };
}

function beside(selection: Selection, model: Model): string[] {
  switch (selection.kind) {
    case "ask": return ofAsk(selection.id, model);
    case "node": return [...new Set([...(model.nodes.get(selection.id)?.allocations.values() ?? [])].map((ask) => ask.app))];
    case "decision": {
      const { asks, app, queue } = touched(selection.decision, model);
      return [app, queue, ...asks.flatMap((id) => ofAsk(id, model))].filter((id) => id !== undefined);
    }
    default: return [];
  }
}

function ofAsk(id: string, model: Model): string[] {
  const app = model.asks.get(id)?.app;
  const queue = app === undefined ? undefined : model.apps.get(app)?.queue;
  return [app, queue].filter((one) => one !== undefined);
}
