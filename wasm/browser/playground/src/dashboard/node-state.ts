import type { NodeObject } from "./host/objects";

export function stateOf({ schedulable, reserved, kept }: NodeObject): string {
  return [schedulable ? "ready" : "drained", reserved && "reserved", kept && "kept"].filter(Boolean).join(", ");
}
