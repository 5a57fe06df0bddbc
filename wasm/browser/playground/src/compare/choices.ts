/** What is chosen to be compared; it stays while other views are looked at. */

import { signal } from "@preact/signals";
import { namedPoints, type NamedPoint, type Policies } from "./configuration";
import { candidates, hasPassed, manifestOf, moduleOf, type Passed } from "./library";
import type { Setup } from "./setup";

export type SideName = "a" | "b";

export interface SetupDraft {
  readonly queue: string;
  /** By point: the name of a policy; what is left out decides as the workload says. */
  readonly policies: Policies;
  /** Modules that act without being named by a configuration. */
  readonly acting: readonly string[];
}

const asItIs: SetupDraft = { queue: "root", policies: {}, acting: [] };

export const drafts = {
  a: signal<SetupDraft>(asItIs),
  b: signal<SetupDraft>({ ...asItIs, policies: { "app.order": "fair" } }),
} as const;

/** Those of the scheduler itself. */
export const builtIns: Readonly<Record<NamedPoint, readonly string[]>> = {
  "app.order": ["fifo", "fair", "stateaware"],
  "queue.order": ["fair"],
  "ask.order": ["fifo"],
  "node.score": ["fair", "binpacking"],
};

/** What each point orders, as the label of a choice. */
export const pointWords: Readonly<Record<NamedPoint, string>> = {
  "app.order": "Applications in a queue",
  "queue.order": "Queues below a queue",
  "ask.order": "Asks of an application",
  "node.score": "Nodes for an ask",
};

const actingPoints = ["node.filter", "victim.rank"];

function passed(): readonly Passed[] {
  return candidates.value.filter(hasPassed);
}

/** The modules that serve a point. */
export function serving(point: string): readonly string[] {
  return passed().filter((one) => point in manifestOf(one).points).map((one) => one.name);
}

/** The modules that rule nodes out or rank victims: these act as soon as they are there. */
export function actors(): readonly string[] {
  return passed().filter((one) => actingPoints.some((point) => point in manifestOf(one).points)).map((one) => one.name);
}

/** The policies of a draft, without modules that are gone meanwhile. */
export function policiesOf(draft: SetupDraft): Policies {
  const there = namedPoints.filter((point) => [...builtIns[point], ...serving(point)].includes(draft.policies[point] ?? ""));
  return Object.fromEntries(there.map((point) => [point, draft.policies[point]]));
}

function actingIn(draft: SetupDraft): readonly string[] {
  return draft.acting.filter((name) => actors().includes(name));
}

/** The set-up that a draft describes, or what is in its way. */
export function setupOf(draft: SetupDraft): Setup | string {
  const policies = policiesOf(draft);
  const names = [...Object.values(policies), ...actingIn(draft)];
  const modules = [];
  for (const one of passed()) {
    if (!names.includes(one.name)) continue;
    const module = moduleOf(one);
    if (!module) return `A parameter of ${one.name} cannot be used: it says below what is expected.`;
    modules.push(module);
  }
  return { policies, queue: draft.queue.trim() || "root", modules };
}

/** A set-up in a few words. */
export function wordsOf(draft: SetupDraft): string {
  const named = Object.entries(policiesOf(draft)).map(([point, name]) => `${point} ${name}`);
  const where = named.length > 0 && draft.queue !== "root" ? [`in ${draft.queue}`] : [];
  return [...named, ...where, ...actingIn(draft).map((name) => `with ${name}`)].join(", ") || "unchanged";
}
