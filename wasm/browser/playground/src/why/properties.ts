/** What the properties of a queue mean for what is decided in it. docs/configuration.md has all of them. */

import type { QueueDump } from "../engine/types";
import { parentPath } from "../model/paths";

type Properties = Readonly<Record<string, string>>;

const told = new Set([
  "application.sort.policy", "application.sort.priority", "priority.policy", "priority.offset", "preemption.policy", "preemption.delay", "preemption.intra-queue",
  "queue.sort.policy",
]);

const appSorts: Properties = {
  fifo: "fifo: the first submitted first",
  fair: "fair: the lowest usage first",
  stateaware: "stateaware: one application starts at a time, then as fifo",
};

/** What decides in a queue, in pairs. What has no effect there is left out. */
export function deciding({ path, leaf, appSort = "", properties: p = {} }: QueueDump): [name: string, value: string][] {
  const order: [string, string] = leaf
    ? ["Order inside", appSorts[appSort] ?? `${appSort}: a policy`]
    : ["Order inside", p["queue.sort.policy"] ?? "fair: the lowest fair share first"];
  const facts: [string, string][] = [order, ["Priority inside", p["application.sort.priority"] === "disabled" ? "does not count" : "comes first"]];
  if (parentPath(path) !== "") facts.push(["Priority shown", showing(p)], ["Preemption", preempting(p)]);
  if (leaf) facts.push(["Its delay", p["preemption.delay"] ?? "30s"], ["Within it", p["preemption.intra-queue"] === "enabled" ? "higher priorities preempt lower ones" : "none"]);
  return facts;
}

/** What a queue makes of the priorities in it, towards those above. */
export function showing({ "priority.policy": policy, "priority.offset": offset = "0" }: Properties = {}): string {
  if (policy === "fence") return `fence: it shows its offset, ${offset}, whatever is inside`;
  return Number(offset) === 0 ? "unchanged" : `offset ${Number(offset) > 0 ? "+" : ""}${offset}`;
}

function preempting({ "preemption.policy": policy }: Properties): string {
  switch (policy) {
    case "fence":
      return "fence: asks inside preempt nothing outside";
    case "disabled":
      return "disabled: guarantees neither preempt for it nor in it";
    default:
      return "by guarantees, in both directions";
  }
}

/** The properties that are not said in words. */
export function others(properties: Properties): [key: string, value: string][] {
  return Object.entries(properties).filter(([key]) => !told.has(key));
}
