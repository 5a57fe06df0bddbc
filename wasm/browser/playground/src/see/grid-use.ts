/** How full a node is. */

import type { Amounts } from "../engine/types";

/** What is had of a node, or of a domain of nodes, and what is used of it. */
export interface Filled {
  readonly capacity: Amounts;
  readonly used: Amounts;
  readonly occupied: Amounts;
}

/** The share of a node that is used by allocations and by others: of a type, or ("") of the type that is fullest. */
export function useOf(node: Filled, type: string): number {
  if (type) return shareOf(node, node.used, type) + shareOf(node, node.occupied, type);
  let most = 0;
  for (const one in node.capacity) most = Math.max(most, shareOf(node, node.used, one) + shareOf(node, node.occupied, one));
  return most;
}

export function shareOf(node: Pick<Filled, "capacity">, amounts: Amounts, type: string): number {
  const capacity = node.capacity[type] ?? 0;
  return capacity > 0 ? (amounts[type] ?? 0) / capacity : 0;
}
