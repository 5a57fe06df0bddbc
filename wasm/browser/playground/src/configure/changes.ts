/** What a new configuration changes, in words. */

import type { Amounts, Config, ConfigLevel, ConfigQueue, ConfigWeight } from "../engine/types";
import { typesOf } from "../model/quantities";
import { accessWords, limitWords, ruleWords, templateWords } from "./lists";
import { quantities, quantity } from "./quantity";

export interface Change {
  readonly kind: "new" | "gone" | "changed";
  /** Undefined: the first. */
  readonly partition?: string | undefined;
  /** Undefined: it is about the partition. */
  readonly queue?: string;
  /** One line for each thing. */
  readonly words: readonly string[];
}

/** The changes from one configuration to another, by partition: its own, then the queues' in the order of the new tree, then those that are gone. */
export function changes(before: Config, after: Config): readonly Change[] {
  const old = partitionsOf(before);
  const now = partitionsOf(after);
  const sameName = (list: readonly Config[], { partition = "" }: Config) => list.find((p) => p.partition?.toLowerCase() === partition.toLowerCase());
  // Where there is one before and one after, another name is a new name of it.
  const renamed = old.length === 1 && now.length === 1;
  return [
    ...now.flatMap((one, i) => {
      const was = renamed ? old[0] : sameName(old, one);
      const at = i === 0 ? undefined : one.partition;
      return was ? inPartition(was, one, at) : [{ kind: "new", partition: at, words: ["A separate partition, with its own nodes and applications."] } as const, ...queuesOf(one).flatMap((q) => ofQueue(undefined, q, at))];
    }),
    ...(renamed ? [] : old.filter((one) => !sameName(now, one)).map((one) => ({ kind: "gone", partition: one.partition, words: ["Rejected while it has nodes or live applications."] } as const))),
  ];
}

/** The first partition and the others. */
export function partitionsOf(config: Config): readonly Config[] {
  return [config, ...(config.others ?? [])];
}

function inPartition(before: Config, after: Config, name: string | undefined): readonly Change[] {
  const old = new Map(queuesOf(before).map((q) => [q.path, q]));
  const kept = new Set(queuesOf(after).map((q) => q.path));
  const partition = partitionWords(before, after);
  return [
    ...(partition.length > 0 ? [{ kind: "changed", partition: name, words: partition } as const] : []),
    ...queuesOf(after).flatMap((q) => ofQueue(old.get(q.path), q, name)),
    ...queuesOf(before).filter((q) => !kept.has(q.path)).map((q) => gone(q, name)),
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

function ofQueue(before: ConfigQueue | undefined, after: ConfigQueue, partition: string | undefined): readonly Change[] {
  const queue = after.path;
  if (!before) return [{ kind: "new", partition, queue, words: introduction(after) }];
  const words = queueWords(before, after);
  return words.length > 0 ? [{ kind: "changed", partition, queue, words }] : [];
}

function gone({ path: queue, leaf }: ConfigQueue, partition: string | undefined): Change {
  return { kind: "gone", partition, queue, words: leaf ? ["Applications in it stay; the queue accepts no new ones and is removed with the last."] : [] };
}

/** What a queue that is new has. */
function introduction(of: ConfigQueue): readonly string[] {
  const { leaf, guaranteed, max, maxApplications = 0, properties = {} } = of;
  const has = { guaranteed: quantities(guaranteed), max: quantities(max), maxapplications: maxApplications > 0 ? String(maxApplications) : "", ...properties };
  const lists = Object.fromEntries(Object.entries(listsOf(of)).map(([name, list]) => [name, list.join("; ")]));
  return [leaf ? "A leaf." : "A parent.", ...Object.entries({ ...has, ...lists }).filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`)];
}

function queueWords(before: ConfigQueue, after: ConfigQueue): readonly string[] {
  const words = [...setWords("guaranteed", "nothing", before.guaranteed, after.guaranteed), ...setWords("max", "unlimited", before.max, after.max)];
  if (before.leaf !== after.leaf) words.unshift(after.leaf ? "A parent becomes a leaf." : "A leaf becomes a parent.");
  words.push(...turn("maxapplications", String(before.maxApplications ?? 0), String(after.maxApplications ?? 0), "0", "no limit"));
  for (const name of namesOf(before.properties, after.properties)) words.push(...turn(name, before.properties?.[name], after.properties?.[name], undefined, "not set"));
  return [...words, ...listWords(listsOf(before), listsOf(after))];
}

/** What of a queue is a list, by its key. */
function listsOf({ limits = [], submitACL, adminACL, template }: ConfigQueue): Record<string, readonly string[]> {
  const one = (words: string | undefined) => (words === undefined ? [] : [words]);
  return { submitacl: one(accessWords(submitACL)), adminacl: one(accessWords(adminACL)), limits: limits.map(limitWords), childtemplate: one(templateWords(template)) };
}

/** A line for each entry that came or went, or one for another order. */
function listWords(before: Readonly<Record<string, readonly string[]>>, after: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.keys(after).flatMap((key) => {
    const [was = [], is = []] = [before[key], after[key]];
    if (was.join("\n") === is.join("\n")) return [];
    if (was.length === 1 && is.length === 1) return [`${key}: ${was[0] ?? ""} → ${is[0] ?? ""}`];
    const lines = [...is.filter((entry) => !was.includes(entry)).map((entry) => `${key}: new: ${entry}`), ...was.filter((entry) => !is.includes(entry)).map((entry) => `${key}: gone: ${entry}`)];
    return lines.length > 0 ? lines : [`${key}: another order`];
  });
}

function partitionWords(before: Config, after: Config): readonly string[] {
  return [
    ...turn("name", before.partition, after.partition),
    ...turn("nodesortpolicy.type", before.nodeSort?.policy, after.nodeSort?.policy),
    ...turn("nodesortpolicy.resourceweights", weights(before.nodeSort?.weights), weights(after.nodeSort?.weights), "", "none"),
    ...turn("preemption.enabled", String(before.preemptionEnabled ?? false), String(after.preemptionEnabled ?? false)),
    ...turn("preemption.observe", String(before.preemptionObserve ?? false), String(after.preemptionObserve ?? false)),
    ...turn("preemption.quotapreemptionenabled", String(before.quotaPreemption ?? false), String(after.quotaPreemption ?? false)),
    ...turn("usergroupresolver.type", before.resolver, after.resolver, undefined, "none"),
    ...listWords({ placementrules: (before.rules ?? []).map(ruleWords) }, { placementrules: (after.rules ?? []).map(ruleWords) }),
    ...listWords({ topology: (before.topology ?? []).map(levelWords) }, { topology: (after.topology ?? []).map(levelWords) }),
  ];
}

const levelWords = (one: ConfigLevel): string => `${one.name ?? ""} by ${one.attribute ?? ""}`;

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
