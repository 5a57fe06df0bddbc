/** What stands in the forms while they are written, and the inputs that come of it. */

import type { Untimed } from "../model/lines";
import type { Model } from "../model/model";
import { splitPath } from "../model/paths";
import { isOver } from "../see/tree-rows";
import { askIds, namesOf } from "./form-names";
import { FormReader, type AmountDraft, type Errors } from "./form-reader";

/** Inputs to feed, or what is wrong. */
export type Checked = { readonly inputs: readonly Untimed[] } | { readonly errors: Errors };

export interface NodesDraft {
  readonly name: string;
  readonly count: string;
  readonly capacity: readonly AmountDraft[];
  readonly attributes: string;
  readonly drained: boolean;
  /** Empty: the first. */
  readonly partition: string;
}

export interface AskDraft {
  readonly id: string;
  readonly count: string;
  readonly resources: readonly AmountDraft[];
  readonly priority: string;
  readonly node: string;
  readonly constraints: string;
  readonly run: string;
  readonly originator: boolean;
  readonly preemptsOthers: boolean;
  readonly preemptable: boolean;
  readonly taskGroup: string;
  readonly placeholder: boolean;
  readonly atomic: boolean;
  readonly gang: string;
  readonly gangMin: string;
  readonly gangTimeout: string;
  readonly gangFallback: boolean; // after the timeout, its members are placed one by one
}

export interface ApplicationDraft {
  readonly id: string;
  /** Empty: the first. */
  readonly partition: string;
  /** Empty: the placement rules choose. */
  readonly queue: string;
  readonly user: string;
  readonly groups: string;
  readonly tags: string;
  readonly isGang: boolean;
  readonly placeholders: readonly AmountDraft[];
  readonly style: "Soft" | "Hard";
  readonly timeout: string;
  readonly withAsks: boolean;
  readonly ask: AskDraft;
}

export interface MoveDraft {
  readonly app: string;
  readonly queue: string;
}

const mostAtOnce = 10_000;
const priorities = 2 ** 31;

export function checkNodes(draft: NodesDraft, model: Model): Checked {
  const read = new FormReader();
  const count = read.whole("count", draft.count, 1, mostAtOnce);
  const names = namesOf(read.text("name", draft.name, "a name"), count, (name) => model.nodes.has(name));
  const capacity = read.amounts("capacity", draft.capacity);
  const attributes = read.pairs("attributes", draft.attributes);
  const taken = names.find((name) => model.nodes.has(name));
  if (taken !== undefined) read.fail("name", `Expected another name, or {} for the next free number, found ${taken}, which already exists.`);
  const more = { ...(attributes && { attributes }), ...(draft.drained && { schedulable: false }), ...(draft.partition && { partition: draft.partition }) };
  return done(read, names.map((id) => ({ type: "node.add", id, capacity, ...more })));
}

export function checkApplication(draft: ApplicationDraft, model: Model): Checked {
  const read = new FormReader();
  const id = read.text("id", draft.id, "an ID");
  const before = model.apps.get(id);
  if (before && !isOver(before.state)) read.fail("id", `Expected an ID of its own, found ${id}, which is taken.`);
  const inputs: Untimed[] = [{ type: "app.add", id, ...whereOf(read, draft), ...(draft.isGang && gangOf(read, draft)) }];
  if (draft.withAsks) inputs.push(askOf(read, draft.ask, id, model));
  return done(read, inputs);
}

/** What decides where an application goes: the fields of an app.add that placement reads. */
export function whereOf(read: FormReader, draft: Pick<ApplicationDraft, "partition" | "queue" | "user" | "groups" | "tags">) {
  const queue = draft.queue.trim();
  const user = draft.user.trim();
  const groups = read.names("groups", draft.groups);
  const tags = read.pairs("tags", draft.tags);
  return {
    ...(draft.partition && { partition: draft.partition }), ...(queue && { queue }), ...(user && { user }),
    ...(groups.length > 0 && { groups }), ...(tags && { tags }),
  };
}

function gangOf(read: FormReader, { placeholders, style, timeout }: ApplicationDraft) {
  const ask = read.amounts("placeholders", placeholders);
  const time = read.duration("timeout", timeout);
  return { placeholder_ask: ask, ...(style === "Hard" && { gang_style: style }), ...(time && { placeholder_timeout: time }) };
}

/** Moves an application to another leaf of its partition. */
export function checkMove({ app, queue }: MoveDraft, model: Model): Checked {
  const read = new FormReader();
  const id = read.text("app", app, "the ID of an application");
  const known = model.apps.get(id);
  if (id !== "" && (!known || isOver(known.state))) read.fail("app", `Expected a live application, found ${id}.`);
  const to = read.text("queue", queue, "a queue without others below it");
  if (known && to === splitPath(known.queue).path) read.fail("queue", `Expected another queue, found ${to}, where it is already.`);
  return done(read, [{ type: "app.move", id, queue: to }]);
}

export function checkAsks(app: string, draft: AskDraft, model: Model): Checked {
  const read = new FormReader();
  const id = read.text("app", app, "the ID of an application");
  const known = model.apps.get(id);
  if (id !== "" && (!known || isOver(known.state))) read.fail("app", `Expected a live application, found ${id}.`);
  return done(read, [askOf(read, draft, id, model)]);
}

function askOf(read: FormReader, draft: AskDraft, app: string, model: Model): Untimed {
  const id = read.text("ask.id", draft.id, "an ID");
  const count = read.whole("ask.count", draft.count, 1, mostAtOnce);
  const taken = askIds(id, count).find((one) => model.asks.has(one));
  if (taken !== undefined) read.fail("ask.id", `Expected IDs of their own, found ${taken}, which is taken.`);
  const resources = read.amounts("ask.resources", draft.resources);
  const priority = read.whole("ask.priority", draft.priority || "0", -priorities, priorities - 1);
  const node = draft.node.trim();
  if (node !== "" && !model.nodes.has(node)) read.fail("ask.node", `Expected an existing node, or nothing, found ${node}.`);
  const constraints = read.choices("ask.constraints", draft.constraints);
  const run = read.duration("ask.run", draft.run);
  const group = draft.taskGroup.trim();
  if (draft.placeholder && group === "") read.fail("ask.taskGroup", "Expected the task group of the placeholder, found nothing.");
  return {
    type: "ask.add", id, app, resources,
    ...(count > 1 && { count }), ...(priority !== 0 && { priority }), ...(node && { node }), ...(constraints && { constraints }), ...(run && { run }),
    ...(group && { task_group: group }), ...(draft.placeholder && { placeholder: true }), ...(draft.atomic && atomicOf(read, draft)),
    ...(draft.originator && { originator: true }), ...(!draft.preemptsOthers && { preempt_others: false }), ...(!draft.preemptable && { preemptable: false }),
  };
}

function atomicOf(read: FormReader, draft: AskDraft) {
  const gang = read.text("ask.gang", draft.gang, "the name of the gang");
  const least = read.whole("ask.gangMin", draft.gangMin, 1, priorities - 1);
  const timeout = read.duration("ask.gangTimeout", draft.gangTimeout);
  return { gang, gang_min: least, ...(timeout && { gang_timeout: timeout, ...(draft.gangFallback && { gang_fallback: "members" as const }) }) };
}

function done(read: FormReader, inputs: readonly Untimed[]): Checked {
  return read.errors ? { errors: read.errors } : { inputs };
}
