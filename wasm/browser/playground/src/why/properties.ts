/** What the settings in force in a queue mean for what is decided in it. docs/configure/configuration.md has all of them. */

import type { QueueDump, Setting } from "../engine/types";
import { parentPath } from "../model/paths";
import { parseDuration } from "../model/times";
import { duration } from "../ui/format";

type Words = Readonly<Record<string, string>>;

/** What a setting, or several together, decide in a queue. */
export interface Decided {
  readonly name: string;
  readonly value: string;
  /** The settings that say so. */
  readonly by: readonly Setting[];
}

const orders: Words = {
  fifo: "fifo: the first submitted first",
  fair: "fair: the lowest usage first",
  stateaware: "stateaware: one application starts at a time, then as fifo",
  "fair-users": "fair-users: the user with the lowest usage first",
};

const preemption: Words = {
  fence: "fence: asks inside preempt nothing outside",
  disabled: "disabled: guarantees neither preempt for it nor in it",
  default: "by guarantees, in both directions",
};

interface Meaning {
  readonly name: string;
  readonly of: readonly string[];
  /** What the values of the settings mean, in their order; "": nothing that is worth a line. */
  readonly say: (...values: string[]) => string;
}

/** "1m0s" as "1m". */
function short(delay: string): string {
  const length = parseDuration(delay);
  return length === undefined ? delay : duration(length);
}

/** In the order in which they are shown. */
const meanings: readonly Meaning[] = [
  { name: "Order inside", of: ["application.sort.policy"], say: (policy = "") => orders[policy] ?? `${policy}: a policy` },
  { name: "Order inside", of: ["queue.sort.policy"], say: (policy = "") => (policy === "fair" ? "fair: the lowest fair share first" : `${policy}: a policy`) },
  { name: "Order of asks", of: ["ask.sort.policy"], say: (policy = "") => (policy === "fifo" ? "fifo: the first submitted first" : `${policy}: a policy`) },
  { name: "Priority inside", of: ["application.sort.priority"], say: (is) => (is === "disabled" ? "does not count" : "comes first") },
  { name: "Priority shown", of: ["priority.policy", "priority.offset"], say: (policy = "", offset = "0") => showing({ "priority.policy": policy, "priority.offset": offset }) },
  { name: "Preemption", of: ["preemption.policy"], say: (policy = "") => preemption[policy] ?? policy },
  { name: "Its delay", of: ["preemption.delay"], say: (delay = "") => short(delay) },
  { name: "Slow victims", of: ["preemption.patience"], say: (wait = "") => `after ${short(wait)}, the ask may land on another node` },
  { name: "Within it", of: ["preemption.intra-queue"], say: (is) => (is === "enabled" ? "higher priorities preempt lower ones" : "none") },
  { name: "Its gangs", of: ["preemption.gangs"], say: (by) => (by === "member" ? "preempted member by member" : "preempted whole, or members beyond the minimum") },
  { name: "Surplus of its gangs", of: ["preemption.surplus"], say: (is) => (is === "disabled" ? "preempted like other allocations" : "preempted first, also without a guarantee") },
  { name: "Above its max", of: ["quota.preemption.delay"], say: (delay = "") => (delay === "0s" ? "releases nothing" : `releases after ${short(delay)}`) },
  { name: "Gangs that wait", of: ["gang.accumulate-after", "gang.accumulate-for"], say: (after = "", most = "") => `room is held after ${short(after)}, for ${short(most)} at most` },
  { name: "Spared for", of: ["preemption.min-runtime"], say: (is = "") => (is === "0s" ? "no time" : `${short(is)} from the allocation`) },
  { name: "Spared for at most", of: ["preemption.min-runtime.max"], say: (is = "") => `${short(is)}, if the ask says so` },
  { name: "Spared from", of: ["preemption.min-runtime.required"], say: (is) => (is === "true" ? "all preemption" : "preemption other than for required nodes and quotas") },
  { name: "Victims", of: ["preemption.budget"], say: (is = "") => `at most ${is.replace("/", " within ")}` },
  { name: "Walltime of asks without one", of: ["walltime.default"], say: (is = "") => short(is) },
  { name: "Longest walltime", of: ["walltime.max"], say: (is = "") => short(is) },
  { name: "At the promised end", of: ["walltime.overrun"], say: (is) => (is === "allow" ? "allocations may stay" : "allocations are asked to leave") },
  { name: "Past usage", of: ["fairness.half-life"], say: (half = "") => (half === "0s" ? "does not count" : `counts half after ${short(half)}`) },
  { name: "Present usage", of: ["fairness.look-ahead"], say: (ahead = "") => `counts as if it lasted ${short(ahead)} more` },
  { name: "Reservations", of: ["reservation.delay"], say: (delay = "") => `of nodes, after a wait of ${short(delay)}` },
];

/** What decides in a queue: the settings in force, in words; then those of policies, as they are. */
export function deciding(settings: readonly Setting[]): Decided[] {
  const byName = new Map(settings.map((one) => [one.name ?? "", one]));
  const told = meanings.flatMap(({ name, of, say }) => {
    const by = of.flatMap((key) => byName.get(key) ?? []);
    return by.length === of.length ? [{ name, value: say(...by.map(({ value = "" }) => value)), by }] : [];
  });
  const named = new Set(meanings.flatMap(({ of }) => of));
  const rest = settings.filter(({ name = "" }) => !named.has(name)).map((one) => ({ name: one.name ?? "", value: one.value ?? "", by: [one] }));
  return [...told, ...rest];
}

/** Those of some settings that are no defaults; without any, their value is the default. */
export function sources(by: readonly Setting[]): readonly Setting[] {
  const set = by.filter(({ from }) => from);
  return set.filter(({ from, template }, i) => set.findIndex((other) => other.from === from && other.template === template) === i);
}

/** What a queue makes of the priorities in it, towards those above. */
export function showing({ "priority.policy": policy, "priority.offset": offset = "0" }: Words = {}): string {
  if (policy === "fence") return `fence: it shows its offset, ${offset}, whatever is inside`;
  return Number(offset) === 0 ? "unchanged" : `offset ${Number(offset) > 0 ? "+" : ""}${offset}`;
}

/** What the nearest preemption fence means for a queue; "": there is none. */
export function fenced({ path }: Pick<QueueDump, "path">, fence: string | undefined): string {
  if (!fence || parentPath(path) === "") return "";
  return fence === path ? "this queue is one: its asks preempt only inside it" : "its asks preempt only inside";
}
