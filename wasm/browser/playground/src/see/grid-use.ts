/** How full a node is. */

import type { Amounts } from "../engine/types";
import type { NodeModel } from "../model/model";

/** The share of a node that is used by allocations and by others: of a type, or ("") of the type that is fullest. */
export function useOf(node: NodeModel, type: string): number {
  if (type) return shareOf(node, node.used, type) + shareOf(node, node.occupied, type);
  let most = 0;
  for (const one in node.capacity) most = Math.max(most, shareOf(node, node.used, one) + shareOf(node, node.occupied, one));
  return most;
}

export function shareOf(node: NodeModel, amounts: Amounts, type: string): number {
  const capacity = node.capacity[type] ?? 0;
  return capacity > 0 ? (amounts[type] ?? 0) / capacity : 0;
}
