/** A node and an allocation in words: for tooltips, for the table, and for those who do not see the grid. */

import { gangsOf, standing } from "../model/gangs";
import type { AskModel, Model, NodeModel } from "../model/model";
import { typesOf } from "../model/quantities";
import { amount, amounts, count, share } from "../ui/format";
import type { Block } from "./grid-blocks";
import { useOf } from "./grid-use";

/** "drained", "kept for web-3", …; empty: it takes what comes. */
export function stateOf(node: NodeModel): string {
  const leaving = [...node.allocations.values()].filter((ask) => ask.leaves).length;
  return [
    node.partition === undefined ? "" : `of partition ${node.partition}`,
    node.schedulable ? "" : "drained",
    node.kept ? `kept for ${node.kept}, ${leaving} told to leave` : "",
    node.reserved ? `reserved for ${node.reserved}` : "",
  ].filter(Boolean).join("; ");
}

/** "6 of 8". */
export function usedOf(node: NodeModel, type: string): string {
  return `${amount(type, (node.used[type] ?? 0) + (node.occupied[type] ?? 0))} of ${amount(type, node.capacity[type] ?? 0)}`;
}

/** What is read out when the focus comes to a node. */
export function describeNode(node: NodeModel, place: number, of: number, domain = ""): string {
  const use = typesOf(node.capacity).map((type) => `${usedOf(node, type)} ${type}`).join(", ");
  const state = stateOf(node);
  return `${node.id}, node ${place} of ${of}${domain && `, ${domain}`}. ${share(useOf(node, ""))} full: ${use}. ${count(node.allocations.size, "allocation")}${placeholdersOf(node)}${state ? `. ${state}` : ""}.`;
}

/** "gang g: whole: 4 of 4 members run"; empty: it is a member of none. */
function gangWords(ask: AskModel, model: Model): string {
  const found = gangsOf(model, ask.app).find(({ members }) => members.includes(ask));
  return found ? `gang ${found.gang.id}: ${standing(found)}` : "";
}

/** ", 2 of them placeholders" */
function placeholdersOf(node: NodeModel): string {
  const held = [...node.allocations.values()].filter((ask) => ask.placeholder).length;
  return held > 0 ? `, ${held} of them ${held === 1 ? "a placeholder" : "placeholders"}` : "";
}

interface Tip {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What the pointer is over: an allocation, or else its node. */
export function tipOf(node: NodeModel, block: Block | undefined, model: Model): Tip {
  if (!block) {
    const lines = typesOf(node.capacity).map((type) => `${usedOf(node, type)} ${type}`);
    return { title: node.id, lines: [...lines, count(node.allocations.size, "allocation") + placeholdersOf(node), stateOf(node)].filter(Boolean) };
  }
  const { ask } = block;
  if (!ask) return { title: "Used by others", lines: [`on ${node.id}: ${amounts(node.occupied)}`] };
  const queue = model.apps.get(ask.app)?.queue;
  return {
    title: ask.id,
    lines: [
      `${ask.app}${queue ? ` in ${queue}` : ""}`, `${amounts(ask.resources)} on ${node.id}`, ask.priority ? `priority ${ask.priority}` : "",
      gangWords(ask, model), ask.placeholder ? "placeholder of a gang: it holds room for a task" : "", ask.leaves ? `told to leave${ask.leaving ? ` for ${ask.leaving}` : ""}` : "",
    ].filter(Boolean),
  };
}
