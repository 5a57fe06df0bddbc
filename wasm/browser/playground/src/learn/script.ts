/** Journals of lessons, written as a cluster would be described: what happens at which moment. */

import type { Application, Ask, Input, Quantities, Untimed } from "../model/lines";

/** A queue's settings; the keys with dots are properties. */
interface QueueSettings {
  readonly guaranteed?: Quantities;
  readonly max?: Quantities;
  readonly maxapplications?: number;
  readonly [property: `${string}.${string}`]: string | number;
}

type Capacity = Quantities | number;
type Happening = readonly [at: string, ...inputs: readonly (Untimed | readonly Untimed[])[]];

/** A journal: each moment with its inputs, in order. */
export function script(...moments: readonly Happening[]): string {
  const lines: object[] = [{ type: "journal", version: 1 }];
  for (const [at, ...inputs] of moments) {
    for (const { type, ...fields } of inputs.flat()) lines.push({ at, type, ...fields });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Amounts; a number alone is cores. */
const amounts = (of: Capacity): Quantities => (typeof of === "number" ? { vcore: of } : of);

export function node(id: string, capacity: Capacity, more: Partial<Extract<Input, { type: "node.add" }>> = {}): Untimed {
  return { type: "node.add", id, capacity: amounts(capacity), ...more };
}

export function app(id: string, queue: string, tags?: Record<string, string>): Untimed {
  return { type: "app.add", id, queue, ...(tags && { tags }) };
}

/** An application with more than a queue and tags; without a queue, placement rules find one. */
export function application(id: string, by: Omit<Application, "id">): Untimed {
  return { type: "app.add", id, ...by };
}

export function ask(id: string, of: string, resources: Capacity, more: Partial<Ask> = {}): Untimed {
  return { type: "ask.add", id, app: of, resources: amounts(resources), ...more };
}

/** An application with one ask, both of one name. */
export function job(id: string, queue: string, resources: Capacity, more: Partial<Ask> = {}): readonly Untimed[] {
  return [app(id, queue), ask(id, id, resources, more)];
}

/** Something that runs already. */
export function runs(id: string, of: string, on: string, resources: Capacity, more: Partial<Ask> = {}): Untimed {
  return { type: "allocation.restore", id, app: of, placed_on: on, resources: amounts(resources), ...more };
}

export function release(id: string): Untimed {
  return { type: "allocation.release", id };
}

/** A configuration that comes into force, as the file has it. */
export function configuration(config: string): Untimed {
  return { type: "config.set", format: "yaml", config };
}

/** A configuration that comes into force: queues by their full names, parents before their children. */
export function queues(tree: Readonly<Record<string, QueueSettings>>, partition: readonly string[] = []): Untimed {
  return configuration(yaml(tree, partition));
}

interface Branch {
  readonly settings: QueueSettings;
  readonly children: Map<string, Branch>;
}

function yaml(tree: Readonly<Record<string, QueueSettings>>, partition: readonly string[]): string {
  const top: Branch = { settings: {}, children: new Map() };
  for (const [path, settings] of Object.entries(tree)) {
    const names = path.split(".");
    const last = names.pop() ?? path;
    let parent = top;
    for (const name of names) parent = child(parent, name, {});
    child(parent, last, settings);
  }
  return ["partitions:", "- name: default", ...partition.map((line) => `  ${line}`), "  queues:", ...lines(top, "  ")].join("\n") + "\n";
}

function child(parent: Branch, name: string, settings: QueueSettings): Branch {
  const there = parent.children.get(name);
  if (there) return there;
  const made: Branch = { settings, children: new Map() };
  parent.children.set(name, made);
  return made;
}

function lines(branch: Branch, indent: string): string[] {
  return [...branch.children].flatMap(([name, { settings, children }]) => [
    `${indent}- name: ${name}`,
    ...settled(settings).map((line) => `${indent}  ${line}`),
    ...(children.size > 0 ? [`${indent}  queues:`, ...lines({ settings, children }, `${indent}  `)] : []),
  ]);
}

function settled({ guaranteed, max, maxapplications, ...properties }: QueueSettings): string[] {
  const flow = (of: Quantities): string => `{${Object.entries(of).map(([type, amount]) => `${type}: ${amount}`).join(", ")}}`;
  const named = Object.entries(properties).map(([name, value]) => `  ${name}: "${value}"`);
  return [
    ...(maxapplications === undefined ? [] : [`maxapplications: ${maxapplications}`]),
    ...(guaranteed || max ? ["resources:"] : []),
    ...(guaranteed ? [`  guaranteed: ${flow(guaranteed)}`] : []),
    ...(max ? [`  max: ${flow(max)}`] : []),
    ...(named.length > 0 ? ["properties:", ...named] : []),
  ];
}
