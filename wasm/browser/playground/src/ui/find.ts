import type { Model } from "../model/model";
import type { Selection } from "../state/store";

/** What can be found by its ID. */
export type Found = Extract<Selection, { kind: "queue" | "app" | "ask" | "node" }>;

/** The first few whose ID has the text in it, without regard to case: those that are it, then those that begin with it. */
export function find(model: Model, text: string, most: number): Found[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const ranks: Found[][] = [[], [], []];
  const lists: [Found["kind"], Iterable<string>][] = [
    ["queue", model.queues.keys()], ["app", model.apps.keys()], ["node", model.nodes.keys()], ["ask", model.asks.keys()],
  ];
  for (const [kind, ids] of lists) {
    for (const id of ids) {
      const at = rank(id.toLowerCase(), wanted);
      const list = ranks[at];
      if (list && list.length < most) list.push({ kind, id });
    }
  }
  return ranks.flat().slice(0, most);
}

/** 0: is it; 1: begins with it, for a queue also its last name; 2: has it inside; -1: has not. */
function rank(id: string, wanted: string): number {
  if (id === wanted) return 0;
  if (id.startsWith(wanted) || id.slice(id.lastIndexOf(".") + 1).startsWith(wanted)) return 1;
  return id.includes(wanted) ? 2 : -1;
}
