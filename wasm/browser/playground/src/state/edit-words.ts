/** Changes by hand, in words: what undo and redo say. */

import type { Untimed } from "../model/lines";

const verbs: Partial<Record<Untimed["type"], string>> = {
  "node.add": "add node", "node.update": "change node", "node.drain": "drain node", "node.resume": "resume node", "node.remove": "remove node",
  "app.add": "submit application", "app.move": "move application", "app.remove": "remove application",
  "ask.add": "add ask", "ask.update": "change ask", "ask.remove": "remove ask",
  "allocation.release": "release allocation", "allocation.restore": "restore allocation", "config.set": "change the configuration",
};

/** "add node n1", "submit application web and 2 more inputs". */
export function editWords(inputs: readonly Untimed[]): string {
  const [first] = inputs;
  if (!first) return "change the cluster";
  const verb = verbs[first.type] ?? "change the cluster";
  const named = "id" in first ? `${verb} ${first.id}` : verb;
  const more = inputs.length - 1;
  return more === 0 ? named : `${named} and ${more} more ${more === 1 ? "input" : "inputs"}`;
}
