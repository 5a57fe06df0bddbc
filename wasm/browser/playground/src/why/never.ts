/** Words for what the scheduler says of an ask that can never run as queues and nodes are configured. */

import type { AskExplanation, Bound } from "../engine/types";
import { amount, amountOf } from "../ui/format";
import { listed } from "./words";

/** Why an ask can never run. */
export interface Never {
  /** One sentence for each bound, without its beginning "It can never run as things are: ". */
  readonly because: readonly string[];
  /** What would change that. */
  readonly help: string;
}

/** Why an ask can never run; undefined: it can. */
export function never({ never: bounds = [], nodes = [] }: Pick<AskExplanation, "never" | "nodes">): Never | undefined {
  if (bounds.length === 0) return undefined;
  // A node that is not counted as too small may be one that the ask is not allowed on, and larger.
  const suffix = nodes.some(({ reason }) => reason !== "too-small") ? " that it may go to" : "";
  return { because: bounds.map((bound) => sentence(bound, `node${suffix}`)), help: help(bounds, `node${suffix}`) };
}

function sentence({ queue, type, needs = 0, most = 0 }: Bound, node: string): string {
  if (!type) return `no ${node} has enough of all types at once, even when empty`;
  const wants = `it asks for ${amountOf(type, needs)}, and`;
  if (queue) return `${wants} the max of ${queue} is ${amount(type, most)}`;
  return most === 0 ? `${wants} no ${node} has any` : `${wants} the largest ${node} has ${amount(type, most)}`;
}

function help(bounds: readonly Bound[], node: string): string {
  const queues = [...new Set(bounds.flatMap(({ queue }) => queue ? [queue] : []))];
  const needed = [...queues.map((queue) => `a higher max of ${queue}`), ...(bounds.some(({ queue }) => !queue) ? [`a larger ${node}`] : [])];
  return `Waiting would not help: only a smaller ask would, or ${listed(needed)}.`;
}
