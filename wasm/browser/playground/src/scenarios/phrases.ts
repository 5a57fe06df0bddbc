/** Inputs of a journal in the sentences of scenarios. */

import type { Ask, Input, Quantities } from "../model/lines";

/** Why something cannot be said in a scenario, in words for the user. */
export class CannotSay extends Error {}

/** One line of a table: what stands in its columns. Empty ones are left out. */
export type Row = Readonly<Record<string, string>>;

/** A step: its sentence, and what follows it. */
export interface Phrase {
  readonly text: string;
  readonly rows?: readonly Row[];
  readonly block?: { readonly kind: string; readonly text: string };
}

/** Says inputs of one instant in their order; as many as possible in one table. Brought are applications that a table of asks has submitted. */
export function phrasesOf(inputs: readonly Input[], brought: Set<string>): readonly Phrase[] {
  const phrases: Phrase[] = [];
  const add = (text: string, row: Row) => {
    const last = phrases.at(-1);
    if (last?.text === text) phrases[phrases.length - 1] = { text, rows: [...(last.rows ?? []), row] };
    else phrases.push({ text, rows: [row] });
  };
  const released: string[] = [];
  let failed = false;
  const release = () => {
    if (released.length > 0) phrases.push({ text: failed ? `${several(released)} ${released.length === 1 ? "fails" : "fail"}` : `${listed(released)} released` });
    released.length = 0;
  };
  for (const [i, input] of inputs.entries()) {
    const next = inputs[i + 1];
    if (input.type === "allocation.release") {
      if (failed !== (input.failed ?? false)) release();
      failed = input.failed ?? false;
      released.push(input.id);
      continue;
    }
    release();
    if (input.type === "app.add" && next?.type === "ask.add" && comesAlong(input, next, brought)) continue;
    const before = inputs[i - 1];
    if (input.type === "ask.add" && before?.type === "app.add" && comesAlong(before, input, brought)) {
      brought.add(input.app);
      add("the asks:", { ...askRow(input, "ask"), queue: before.queue ?? "" });
    } else if (input.type === "node.add") add("the nodes:", nodeRow(input));
    else if (input.type === "app.add") add("the applications:", appRow(input));
    else if (input.type === "window.add") add("the windows:", windowRow(input));
    else if (input.type === "ask.add") add("the asks:", askRow(input, "ask"));
    else if (input.type === "allocation.restore") add("the allocations:", { ...askRow(input, "allocation"), on: input.placed_on });
    else phrases.push(...plain(input));
  }
  release();
  return phrases;
}

/** Whether an application can be submitted by the first row of its asks. */
function comesAlong(app: Extract<Input, { type: "app.add" }>, ask: Ask, brought: ReadonlySet<string>): boolean {
  const plainly = app.queue && !app.partition && !app.user && !app.tags && !app.groups && !app.placeholder_ask && !app.succeeded;
  return app.id === ask.app && Boolean(plainly) && !brought.has(app.id);
}

/** An input with a sentence of its own. */
function plain(input: Exclude<Input, { type: "window.add" | "node.add" | "app.add" | "ask.add" | "allocation.restore" | "allocation.release" }>): readonly Phrase[] {
  switch (input.type) {
    case "config.set": return [{ text: "the configuration:", block: { kind: input.format ?? "yaml", text: input.config } }];
    case "node.drain": return [{ text: `node ${quoted(input.id)} is drained` }];
    case "node.resume": return [{ text: `node ${quoted(input.id)} is resumed` }];
    case "node.remove": return [{ text: `node ${quoted(input.id)} is removed` }];
    case "node.update": return nodeUpdate(input);
    case "app.remove": return [{ text: `application ${quoted(input.id)} is removed` }];
    case "app.move": return [{ text: `application ${quoted(input.id)} is moved to ${input.queue}` }];
    case "ask.remove": return [{ text: `ask ${quoted(input.id)} is removed` }];
    case "window.remove": return [{ text: `window ${quoted(input.id)} is removed` }];
    case "ask.update": return askUpdate(input);
    case "policy.set": case "policy.remove": throw new CannotSay("it uses policy modules, and scenarios in the page have none.");
    case "tick": return [];
    default: throw new CannotSay(`it has an input of the type ${JSON.stringify((input as { type: string }).type)}, which has no sentence.`);
  }
}

function nodeUpdate({ id, capacity, occupied, attributes }: Extract<Input, { type: "node.update" }>): readonly Phrase[] {
  const said = { capacity: capacity && amounts(capacity), occupied: occupied && amounts(occupied), attributes: attributes && pairs(attributes) };
  return Object.entries(said).filter(([, text]) => text !== undefined).map(([name, text]) => ({ text: `node ${quoted(id)} is updated with ${name} ${text ?? ""}` }));
}

function askUpdate({ id, resources, priority, preemptable, walltime }: Extract<Input, { type: "ask.update" }>): readonly Phrase[] {
  const now = [...(resources ? [`needs ${amounts(resources)}`] : []), ...(priority === undefined ? [] : [`has priority ${priority}`])];
  return [
    ...(now.length > 0 || preemptable === undefined && walltime === undefined ? [{ text: `ask ${quoted(id)} now ${now.join(" and ") || "has priority 0"}` }] : []),
    ...(preemptable === undefined ? [] : [{ text: preemptable ? `${quoted(id)} may be preempted again` : `${quoted(id)} now asks not to be preempted` }]),
    ...(walltime === undefined ? [] : [{ text: `${quoted(id)} now has walltime ${walltime}` }]),
  ];
}

function nodeRow({ id, partition, capacity, attributes, occupied, schedulable }: Extract<Input, { type: "node.add" }>): Row {
  return {
    node: id, capacity: amounts(capacity), ...(occupied && { occupied: amounts(occupied) }),
    ...(attributes && { attributes: pairs(attributes) }), ...(schedulable === false && { schedulable: "no" }), ...(partition && { partition }),
  };
}

function appRow({ id, partition, queue, user, groups, tags, succeeded, ...gang }: Extract<Input, { type: "app.add" }>): Row {
  if (groups?.some((group) => group.includes(","))) throw new CannotSay(`a group of application ${id} has a comma, which separates values in scenarios.`);
  return {
    application: id, queue: queue === undefined || queue === "" ? '""' : queue, ...(partition && { partition }), ...(user && { user }), ...(groups && { groups: groups.join(", ") }), ...(tags && { tags: pairs(tags) }),
    ...(succeeded && { succeeded: Object.entries(succeeded).map(([name, n]) => `${name} ${n}`).join(", ") }),
    ...(gang.placeholder_ask && {
      placeholders: amounts(gang.placeholder_ask), ...(gang.gang_style && { "gang style": gang.gang_style }),
      ...(gang.placeholder_timeout && { "placeholder timeout": gang.placeholder_timeout }),
    }),
  };
}

function askRow(ask: Ask, name: "ask" | "allocation"): Row {
  const { id, app, resources, priority, node, constraints, originator, preempt_others: preempts, preemptable, count } = ask;
  return {
    [name]: id, application: app, resources: amounts(resources),
    ...(priority && { priority: String(priority) }), ...(node && { [name === "ask" ? "node" : "required node"]: node }),
    ...(constraints && { constraints: allowed(constraints) }),
    ...(originator && { originator: "yes" }), ...(preempts === false && { "preempts others": "no" }), ...(preemptable === false && { preemptable: "no" }),
    ...(ask.task_group && { "task group": ask.task_group }), ...(ask.placeholder && { placeholder: "yes" }),
    ...(ask.gang && { "gang": ask.gang, "gang min": String(ask.gang_min ?? 1), ...(ask.gang_timeout && { "gang timeout": ask.gang_timeout }), ...(ask.gang_fallback && { "gang fallback": ask.gang_fallback }),
      ...(ask.gang_disruption && { "gang disruption": ask.gang_disruption }), ...(ask.gang_repair && { "gang repair": ask.gang_repair }),
      ...(ask.gang_max && { "gang max": String(ask.gang_max) }), ...(ask.gang_set && { "gang set": `${ask.gang_set} ${ask.gang_set_min ?? 1}` }) }),
    ...(ask.topology_required && { "topology required": ask.topology_required }), ...(ask.topology_preferred && { "topology preferred": ask.topology_preferred }),
    ...(ask.movable && { movable: "yes" }),
    ...(ask.topology_slice && { "topology slice": `${ask.topology_slice.size} ${ask.topology_slice.level}` }),
    ...(ask.walltime && { walltime: ask.walltime }), ...(ask.min_runtime && { "min runtime": ask.min_runtime }),
    ...(count !== undefined && { count: String(count) }),
  };
}

function windowRow({ id, from, until, every, nodes, constraints, count, partition, ...named }: Extract<Input, { type: "window.add" }>): Row {
  const lists = Object.entries({ nodes, queues: named.queues, users: named.users, groups: named.groups }).filter((list): list is [string, string[]] => list[1] !== undefined);
  if ([from, until].some((time) => time?.includes("T"))) throw new CannotSay(`the window ${id} has a date, and scenarios count time from their beginning.`);
  return {
    window: id, from, ...(until && { until }), ...(every && { every }), ...Object.fromEntries(lists.map(([name, list]) => [name, list.join(", ")])),
    ...(constraints && { constraints: allowed(constraints) }), ...(count !== undefined && { count: String(count) }), ...(partition && { partition }),
  };
}

/** The allowed values of attributes. */
function allowed(constraints: Readonly<Record<string, string[]>>): string {
  return pairs(Object.fromEntries(Object.entries(constraints).map(([key, values]) => [key, values.join("|")])));
}

function amounts(set: Quantities): string {
  return Object.entries(set).map(([type, amount]) => `${amount} ${type}`).join(", ") || "nothing";
}

function pairs(set: Readonly<Record<string, string>>): string {
  for (const [key, value] of Object.entries(set)) {
    if (/[=,]/.test(key) || value.includes(",")) throw new CannotSay(`${key}=${value} has a comma or an equals sign, which separate values in scenarios.`);
  }
  return Object.entries(set).map(([key, value]) => `${key}=${value}`).join(", ") || "nothing";
}

function quoted(name: string): string {
  if (name.includes('"')) throw new CannotSay(`the name ${name} has quotes.`);
  return `"${name}"`;
}

/** `"a" is`, or `"a", "b" and "c" are`. */
function listed(names: readonly string[]): string {
  return `${several(names)} ${names.length === 1 ? "is" : "are"}`;
}

/** `"a"`, or `"a", "b" and "c"`. */
function several(names: readonly string[]): string {
  const all = names.map(quoted);
  const last = all.pop() ?? "";
  return all.length === 0 ? last : `${all.join(", ")} and ${last}`;
}
