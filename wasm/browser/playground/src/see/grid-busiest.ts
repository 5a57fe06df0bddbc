/** Which applications use most, and which marks are on the grid: what the legend has to say. */

import type { Amounts } from "../engine/types";
import type { Model } from "../model/model";
import { nothing } from "../model/quantities";

interface Busy {
  readonly app: string;
  /** Of the capacity of all nodes. */
  readonly share: number;
}

/** The applications that use most of a type, or ("") of whichever type they use most of. */
export function busiest(model: Model, type: string, most: number): Busy[] {
  const total = nothing();
  for (const node of model.nodes.values()) add(total, node.capacity);
  const shares: Busy[] = [];
  for (const app of model.apps.values()) {
    const used = nothing();
    for (const ask of app.asks.values()) if (ask.node !== undefined) add(used, ask.resources);
    const share = Math.max(0, ...(type ? [type] : Object.keys(used)).map((one) => (used[one] ?? 0) / (total[one] ?? Infinity)));
    if (share > 0) shares.push({ app: app.id, share });
  }
  return shares.sort((a, b) => b.share - a.share).slice(0, most);
}

function add(sum: Amounts, amounts: Amounts) {
  for (const type in amounts) sum[type] = (sum[type] ?? 0) + (amounts[type] ?? 0);
}

export const marks = ["drained", "reserved", "kept", "leaving", "placeholder", "others"] as const;
export type Mark = (typeof marks)[number];

/** The marks that are somewhere on the grid. */
export function marksIn(model: Model): Mark[] {
  const found = new Set<Mark>();
  for (const node of model.nodes.values()) {
    if (!node.schedulable) found.add("drained");
    if (node.reserved !== undefined) found.add("reserved");
    if (node.kept !== undefined) found.add("kept");
    for (const ask of node.allocations.values()) {
      if (ask.leaves) found.add("leaving");
      if (ask.placeholder) found.add("placeholder");
    }
    if (Object.values(node.occupied).some((amount) => amount > 0)) found.add("others");
  }
  return marks.filter((mark) => found.has(mark));
}
