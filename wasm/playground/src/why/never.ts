/** Whether an ask can run at all, as things are configured: what stands against it however much ends. */

import type { Amounts, NodeCount, QueueDump } from "../engine/types";
import type { NodeModel } from "../model/model";
import { typesOf } from "../model/quantities";
import { amount, amountOf } from "../ui/format";
import { lineage } from "./paths";
import { listed } from "./words";

/** What is smaller than the ask, always. */
export type Never =
  /** The max of a queue on its way up. */
  | { readonly by: "max"; readonly queue: string; readonly type: string; readonly wanted: number; readonly most: number }
  /** Every node, even when nothing runs there: the largest has so much of the type. */
  | { readonly by: "node"; readonly type: string; readonly wanted: number; readonly most: number }
  /** Every node, each for some type. */
  | { readonly by: "nodes" }
  /** Every node that it may go to. */
  | { readonly by: "allowed" };

interface Asked {
  readonly wants: Amounts;
  readonly queue: string;
  readonly queues: readonly QueueDump[];
  readonly nodes: Iterable<Pick<NodeModel, "capacity" | "occupied">>;
  /** What speaks against the nodes, and how many would take it. */
  readonly against?: readonly NodeCount[] | undefined;
  readonly fits?: number | undefined;
}

/** What keeps an ask from ever running; empty: nothing does. */
export function never(asked: Asked): Never[] {
  return [...overMax(asked), ...overNodes(asked)];
}

/** Root's max is what its nodes have: they are looked at by themselves. */
function overMax({ wants, queue, queues }: Asked): Never[] {
  const byPath = new Map(queues.map((q) => [q.path, q]));
  return lineage(queue).slice(1).reverse().flatMap((path) => typesOf(wants).flatMap((type) => {
    const [wanted, most] = [wants[type] ?? 0, byPath.get(path)?.max?.[type]];
    return most !== undefined && wanted > most ? [{ by: "max" as const, queue: path, type, wanted, most }] : [];
  }));
}

function overNodes({ wants, nodes, against = [], fits = 0 }: Asked): Never[] {
  const list = [...nodes];
  if (list.length === 0 || fits > 0) return [];
  const empty = (node: (typeof list)[number], type: string) => Math.max((node.capacity[type] ?? 0) - (node.occupied[type] ?? 0), 0);
  const types = typesOf(wants).filter((type) => (wants[type] ?? 0) > 0);
  const short = types.flatMap((type) => {
    const [wanted, most] = [wants[type] ?? 0, list.reduce((largest, node) => Math.max(largest, empty(node, type)), 0)];
    return wanted > most ? [{ by: "node" as const, type, wanted, most }] : [];
  });
  if (short.length > 0) return short;
  if (list.every((node) => types.some((type) => (wants[type] ?? 0) > empty(node, type)))) return [{ by: "nodes" }];
  const barred = against.every(({ reason }) => reason === "too-small" || reason === "not-the-required-node" || reason === "constraint");
  return barred && against.some(({ reason }) => reason === "too-small") ? [{ by: "allowed" }] : [];
}

/** In a sentence, without its beginning "It can never run as things are: ". */
export function neverWords(one: Never): string {
  switch (one.by) {
    case "max": return `it wants ${amountOf(one.type, one.wanted)}, and the max of ${one.queue} is ${amount(one.type, one.most)}`;
    case "node": return `it wants ${amountOf(one.type, one.wanted)}, and ${one.most === 0 ? "no node has any" : `the largest node has ${amount(one.type, one.most)}`}`;
    case "nodes": return "no node has all that it wants at once, even when nothing runs there";
    case "allowed": return "no node that it may go to has what it wants, even when nothing runs there";
  }
}

/** What would help an ask that can never run. */
export function neverHelp(list: readonly Never[]): string {
  const queues = [...new Set(list.flatMap((one) => (one.by === "max" ? [one.queue] : [])))];
  const needed = [
    ...queues.map((queue) => `a higher max of ${queue}`),
    ...(list.some(({ by }) => by !== "max") ? ["a larger node"] : []),
  ];
  return `Nothing that ends would help: only a smaller ask would, or ${listed(needed)}.`;
}
