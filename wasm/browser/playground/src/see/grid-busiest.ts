/** Which applications, or other groups, use most, and which marks are on the grid: what the legend has to say. */

import type { Amounts } from "../engine/types";
import { gangOf } from "../model/gangs";
import type { Model } from "../model/model";
import { nothing } from "../model/quantities";
import { groupsBy } from "./colour-by";

interface Busy {
  readonly group: string;
  /** Of the capacity of all nodes. */
  readonly share: number;
}

/** The groups that use most of a type, or ("") of whichever type they use most of. */
export function busiest(model: Model, type: string, most: number, groups = groupsBy("application", model)): Busy[] {
  const total = nothing();
  const used = new Map<string, Amounts>();
  for (const node of model.nodes.values()) {
    add(total, node.capacity);
    for (const ask of node.allocations.values()) {
      const group = groups.of(ask, node);
      const sum = used.get(group) ?? nothing();
      add(sum, ask.resources);
      used.set(group, sum);
    }
  }
  const shares = [...used].map(([group, sum]) => ({ group, share: Math.max(0, ...(type ? [type] : Object.keys(sum)).map((one) => (sum[one] ?? 0) / (total[one] ?? Infinity))) }));
  return shares.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share).slice(0, most);
}

function add(sum: Amounts, amounts: Amounts) {
  for (const type in amounts) sum[type] = (sum[type] ?? 0) + (amounts[type] ?? 0);
}

export const marks = ["drained", "reserved", "kept", "leaving", "placeholder", "gang", "broken", "others"] as const;
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
      const gang = gangOf(model, ask);
      if (gang) found.add(gang.broken ? "broken" : "gang");
    }
    if (Object.values(node.occupied).some((amount) => amount > 0)) found.add("others");
  }
  return marks.filter((mark) => found.has(mark));
}
