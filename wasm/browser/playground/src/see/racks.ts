/** The domains of the topology, such as racks, and which nodes are in them. */

import { signal } from "@preact/signals";
import type { Config } from "../engine/types";
import type { NodeModel } from "../model/model";

/** The attributes of the levels, from the widest to the narrowest, by partition; that of the first is "". */
export type Levels = ReadonlyMap<string, readonly string[]>;

/** Of the configuration in force; undefined: no partition has a topology. */
export const levels = signal<Levels | undefined>(undefined);

export function levelsOf(config: Config | undefined): Levels | undefined {
  if (!config) return undefined;
  const found = new Map<string, readonly string[]>();
  for (const one of [config, ...(config.others ?? [])]) {
    const attributes = (one.topology ?? []).map(({ attribute = "" }) => attribute);
    if (attributes.length > 0) found.set(one === config ? "" : one.partition ?? "", attributes);
  }
  return found.size > 0 ? found : undefined;
}

const nowhere = "in no domain";

/** The narrowest domain of a node: "b1 / r2". A node that lacks an attribute is in none from that level on. */
export function domainOf({ partition = "", attributes }: Pick<NodeModel, "partition" | "attributes">, of: Levels): string {
  const path: string[] = [];
  for (const attribute of of.get(partition) ?? []) {
    const value = attributes[attribute];
    if (value === undefined) break;
    path.push(value);
  }
  return path.join(" / ") || nowhere;
}

export interface Domain<Node> {
  readonly name: string;
  readonly nodes: readonly Node[];
}

/** The nodes by domain, by name, those in none last. */
export function byDomain<Node extends Pick<NodeModel, "partition" | "attributes">>(nodes: Iterable<Node>, of: Levels): Domain<Node>[] {
  const found = new Map<string, Node[]>();
  for (const node of nodes) {
    const name = domainOf(node, of);
    const there = found.get(name);
    if (there) there.push(node);
    else found.set(name, [node]);
  }
  const names = [...found.keys()].sort((a, b) => Number(a === nowhere) - Number(b === nowhere) || a.localeCompare(b, "en", { numeric: true }));
  return names.map((name) => ({ name, nodes: found.get(name) ?? [] }));
}
