import type { NodeObject } from "./host/objects";

export function stateOf({ schedulable, reserved, kept }: Pick<NodeObject, "schedulable" | "reserved" | "kept">): string {
  return [schedulable ? "ready" : "drained", reserved && "reserved", kept && "kept"].filter(Boolean).join(", ");
}

/** The domains of a node: "block b1, rack r2"; "": it is in none. */
export function domainsOf({ domain = {} }: Pick<NodeObject, "domain">): string {
  return Object.entries(domain).map(([level, value]) => `${level} ${value}`).join(", ");
}
