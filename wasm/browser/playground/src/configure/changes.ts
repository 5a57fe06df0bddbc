/** What a new configuration changes, in words. */

import type { Amounts, Config, ConfigQueue, ConfigWeight } from "../engine/types";
import { typesOf } from "../model/quantities";
import { quantities, quantity } from "./quantity";

export interface Change {
  readonly kind: "new" | "gone" | "changed";
  /** Undefined: it is about the partition. */
  readonly queue?: string;
  /** One line for each thing. */
  readonly words: readonly string[];
}

/** The changes from one configuration to another: the partition's, then the queues' in the order of the new tree, then those that are gone. */
export function changes(before: Config, after: Config): readonly Change[] {
  const old = new Map(queuesOf(before).map((q) => [q.path, q]));
  const kept = new Set(queuesOf(after).map((q) => q.path));
  const partition = partitionWords(before, after);
  return [
    ...(partition.length > 0 ? [{ kind: "changed", words: partition } as const] : []),
    ...queuesOf(after).flatMap((q) => ofQueue(old.get(q.path), q)),
    ...queuesOf(before).filter((q) => !kept.has(q.path)).map((q) => gone(q)),
  ];
}

/** A tree as a list, parents before their children. */
export function queuesOf({ root }: Config): readonly ConfigQueue[] {
  const all: ConfigQueue[] = [];
  const visit = (queue: ConfigQueue): void => {
    all.push(queue);
    queue.children?.forEach(visit);
  };
  if (root) visit(root);
  return all;
}

function ofQueue(before: ConfigQueue | undefined, after: ConfigQueue): readonly Change[] {
  const queue = after.path;
  if (!before) return [{ kind: "new", queue, words: introduction(after) }];
  const words = queueWords(before, after);
  return words.length > 0 ? [{ kind: "changed", queue, words }] : [];
}

function gone({ path: queue, leaf }: ConfigQueue): Change {
  return { kind: "gone", queue, words: leaf ? ["Applications in it stay; the queue takes no new ones and disappears with the last."] : [] };
}

/** What a queue that is new has. */
function introduction({ leaf, guaranteed, max, maxApplications = 0, properties = {} }: ConfigQueue): readonly string[] {
  const has = { guaranteed: quantities(guaranteed), max: quantities(max), maxapplications: maxApplications > 0 ? String(maxApplications) : "", ...properties };
  return [leaf ? "A leaf." : "A parent.", ...Object.entries(has).filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`)];
}

function queueWords(before: ConfigQueue, after: ConfigQueue): readonly string[] {
  const words = [...setWords("guaranteed", "nothing", before.guaranteed, after.guaranteed), ...setWords("max", "unlimited", before.max, after.max)];
  if (before.leaf !== after.leaf) words.unshift(after.leaf ? "A parent becomes a leaf." : "A leaf becomes a parent.");
  words.push(...turn("maxapplications", String(before.maxApplications ?? 0), String(after.maxApplications ?? 0), "0", "no bound"));
  for (const name of namesOf(before.properties, after.properties)) words.push(...turn(name, before.properties?.[name], after.properties?.[name], undefined, "not set"));
  return words;
}

function partitionWords(before: Config, after: Config): readonly string[] {
  return [
    ...turn("name", before.partition, after.partition),
    ...turn("nodesortpolicy.type", before.nodeSort?.policy, after.nodeSort?.policy),
    ...turn("nodesortpolicy.resourceweights", weights(before.nodeSort?.weights), weights(after.nodeSort?.weights), "", "none"),
    ...turn("preemption.enabled", String(before.preemptionEnabled ?? false), String(after.preemptionEnabled ?? false)),
    ...turn("preemption.observe", String(before.preemptionObserve ?? false), String(after.preemptionObserve ?? false)),
  ];
}

const weights = (all: readonly ConfigWeight[] = []): string => all.map((w) => `${w.type} ${(w.thousandths ?? 0) / 1000}`).join(", ");

/** "guaranteed: 4 vcore, 16Gi memory" where there was none, else what changed by type. */
function setWords(name: string, none: string, before: Amounts | undefined, after: Amounts | undefined): string[] {
  const [was, is] = [quantities(before), quantities(after)];
  if (was === is) return [];
  if (was === "" || is === "") return turn(name, was, is, "", none);
  const written = (set: Amounts | undefined, type: string): string | undefined => (set?.[type] === undefined ? undefined : quantity(type, set[type]));
  return typesOf(before, after).flatMap((type) => turn(`${name} ${type}`, written(before, type), written(after, type), undefined, none));
}

/** One line on what turned from one thing into another; absent is what stands for nothing, and none is how that reads. */
function turn(name: string, before: string | undefined, after: string | undefined, absent?: string, none = ""): string[] {
  if (before === after) return [];
  const read = (value: string | undefined): string => (value === absent || value === undefined ? none : value === "" ? "empty" : value);
  return [`${name}: ${read(before)} → ${read(after)}`];
}

const namesOf = (...sets: readonly (Readonly<Record<string, string>> | undefined)[]): readonly string[] =>
  [...new Set(sets.flatMap((set) => Object.keys(set ?? {})))].sort();
