/** What stands in a node, as blocks from the bottom up: a share of the node each. */

import type { Amounts } from "../engine/types";
import type { AskModel, NodeModel } from "../model/model";
import { hueOf, type Hue } from "./colours";

export interface Block {
  /** Absent: what others than the scheduler use on the node. */
  readonly ask?: AskModel;
  readonly hue?: Hue;
  /** Shares of the node's capacity. */
  readonly from: number;
  readonly to: number;
}

/** The share of a node that is used by allocations and by others: of a type, or ("") of the type that is fullest. */
export function useOf(node: NodeModel, type: string): number {
  if (type) return shareOf(node, node.used, type) + shareOf(node, node.occupied, type);
  let most = 0;
  for (const one in node.capacity) most = Math.max(most, shareOf(node, node.used, one) + shareOf(node, node.occupied, one));
  return most;
}

/**
 * The blocks of a node, those of an application together. With the dominant type each allocation counts by the type that it
 * takes most of. These shares can add up to more than the fullest type, so they are scaled to that: the pile is as high as
 * the node is full.
 */
export function blocksOf(node: NodeModel, type: string): Block[] {
  const parts: { ask?: AskModel; share: number }[] = [];
  const others = partOf(node, node.occupied, type);
  if (others > 0) parts.push({ share: others });
  for (const ask of byApp(node)) parts.push({ ask, share: partOf(node, ask.resources, type) });
  const sum = parts.reduce((total, part) => total + part.share, 0);
  const scale = type || sum === 0 ? 1 : useOf(node, type) / sum;
  let from = 0;
  return parts.map(({ ask, share }) => {
    const block = { ask, hue: ask && hueOf(ask.app), from, to: from + share * scale };
    from = block.to;
    return block;
  });
}

/** In the order in which the first of each application came, so that the rest does not move when one goes. */
function byApp(node: NodeModel): AskModel[] {
  const groups = new Map<string, AskModel[]>();
  for (const ask of node.allocations.values()) {
    const group = groups.get(ask.app);
    if (group) group.push(ask);
    else groups.set(ask.app, [ask]);
  }
  return [...groups.values()].flat();
}

function partOf(node: NodeModel, amounts: Amounts, type: string): number {
  if (type) return shareOf(node, amounts, type);
  let most = 0;
  for (const one in amounts) most = Math.max(most, shareOf(node, amounts, one));
  return most;
}

function shareOf(node: NodeModel, amounts: Amounts, type: string): number {
  const capacity = node.capacity[type] ?? 0;
  return capacity > 0 ? (amounts[type] ?? 0) / capacity : 0;
}
