/** What the rows of the queue tree say, as plain values. */

import type { Amounts, QueueDump } from "../engine/types";
import type { AppModel, Model } from "../model/model";
import { lastName, parentPath } from "../model/paths";
import { nothing } from "../model/quantities";
import { amount, amountOf, fairShare, short, whole } from "../ui/format";

export interface QueueRow {
  readonly kind: "queue";
  readonly id: string;
  readonly place: Place;
  readonly name: string;
  readonly leaf: boolean;
  readonly use: Use;
  /** What may still be added of the type shown. */
  readonly headroom: string;
  readonly pending: number;
  /** "2 running", "2 of 5 running". */
  readonly running: string;
  /** What its parent sees; undefined while nothing waits. */
  readonly priority: number | undefined;
  readonly sort: string;
  /** The fair share. */
  readonly share: string;
  /** What is unusual about it, always in sight. */
  readonly badges: readonly Badge[];
  /** What is set and decides something: small print. */
  readonly settings: readonly Badge[];
}

export interface AppRow {
  readonly kind: "app";
  readonly id: string;
  readonly place: Place;
  readonly state: string;
  readonly pending: number;
  readonly allocated: number;
}

/** Stands for applications that are not listed. */
export interface MoreRow {
  readonly kind: "more";
  readonly id: string;
  readonly place: Place;
  readonly queue: string;
  readonly count: number;
}

export type Row = QueueRow | AppRow | MoreRow;

/** Where a row is, as a tree has to say it. open: undefined where nothing is below. */
export interface Place {
  readonly level: number;
  readonly at: number;
  readonly of: number;
  readonly open: boolean | undefined;
}

interface Use {
  readonly type: string;
  readonly used: number;
  /** The least max on the way to the root. */
  readonly full: number;
  readonly guaranteed: number | undefined;
  readonly max: number | undefined;
  /** Amounts as people write them; "–": there is none. used names the type unless its unit does; max is the least on the way to the root. */
  readonly text: { readonly used: string; readonly guaranteed: string; readonly max: string };
  readonly label: string;
}

interface Badge {
  readonly text: string;
  readonly meaning: string;
}

export interface TreeChoices {
  /** The type to show; "": of each queue the one that it has most of. */
  readonly shown: string;
  isOpen(queue: QueueDump): boolean;
  /** How many applications of a queue are listed. */
  most(queue: string): number;
}

/** The rows to show, top to bottom. */
export function rowsOf(queues: readonly QueueDump[], model: Pick<Model, "apps">, choices: TreeChoices): Row[] {
  const children = childrenOf(queues);
  const apps = appsOf(model);
  const rows: Row[] = [];
  const walk = (queue: QueueDump, level: number, at: number, of: number, limit: Amounts) => {
    const below = children.get(queue.path) ?? [];
    const inside = apps.get(queue.path) ?? [];
    const open = below.length + inside.length > 0 ? choices.isOpen(queue) : undefined;
    const full = least(limit, queue.max);
    rows.push(new LazyQueueRow(queue, { level, at, of, open }, full, choices.shown));
    if (!open) return;
    below.forEach((child, i) => walk(child, level + 1, i + 1, below.length + inside.length, full));
    rows.push(...appRows(queue.path, inside, level + 1, choices.most(queue.path)));
  };
  const tops = children.get("") ?? [];
  tops.forEach((queue, i) => walk(queue, 1, i + 1, tops.length, {}));
  return rows;
}

/** A queue's row, whose words are made when they are first read: of a long tree most rows are never drawn. */
class LazyQueueRow implements QueueRow {
  readonly kind = "queue";
  readonly id: string;
  readonly place: Place;
  readonly name: string;
  readonly leaf: boolean;
  private readonly queue: QueueDump;
  private readonly full: Amounts;
  private readonly shown: string;
  private made: ReturnType<typeof wordsOf> | undefined;

  constructor(queue: QueueDump, place: Place, full: Amounts, shown: string) {
    this.id = queue.path;
    this.place = place;
    this.name = lastName(queue.path);
    this.leaf = queue.leaf ?? false;
    this.queue = queue;
    this.full = full;
    this.shown = shown;
  }

  private get words() { return (this.made ??= wordsOf(this.queue, this.full, this.shown)); }
  get use() { return this.words.use; }
  get headroom() { return this.words.headroom; }
  get pending() { return this.queue.pendingAsks ?? 0; }
  get running() { return this.words.running; }
  get priority() { return this.queue.hasPriority ? this.queue.priority ?? 0 : undefined; }
  get sort() { return this.queue.leaf ? this.queue.appSort ?? "" : ""; }
  get share() { return this.words.share; }
  get badges() { return this.words.badges; }
  get settings() { return this.words.settings; }

  /** All that the row says, to tell whether it has changed. */
  toJSON(): unknown {
    const { id, place, pending, priority, sort, words } = this;
    return { id, place, pending, priority, sort, words };
  }
}

function wordsOf(queue: QueueDump, full: Amounts, shown: string) {
  const type = shown || dominant(queue, full);
  return {
    use: useOf(queue, type, full[type]),
    headroom: amount(type, queue.headroom?.[type] ?? 0), // root has a max of every type, so what is left out is 0
    running: `${whole(queue.running ?? 0)}${queue.maxRunning ? ` of ${whole(queue.maxRunning)}` : ""} running`,
    share: fairShare(queue.fairShare),
    badges: badgesOf(queue),
    settings: settingsOf(queue),
  };
}

function useOf(queue: QueueDump, type: string, limit: number | undefined): Use {
  const used = queue.used?.[type] ?? 0;
  const guaranteed = queue.guaranteed?.[type];
  const max = queue.max?.[type];
  const full = limit ?? Math.max(used, guaranteed ?? 0);
  const bounds = [guaranteed !== undefined && `guaranteed ${amount(type, guaranteed)}`, max !== undefined && `max ${amount(type, max)}`].filter(Boolean);
  return {
    type, used, full, guaranteed, max,
    text: { used: type === "memory" ? short(type, used) : `${short(type, used)} ${type}`, guaranteed: guaranteed === undefined ? "–" : short(type, guaranteed), max: limit === undefined ? "–" : short(type, limit) },
    label: [`${amountOf(type, used)} in use`, ...bounds].join(", "),
  };
}

/** The type that a queue has the largest share of, of what it may have. */
function dominant(queue: QueueDump, full: Amounts): string {
  let best = "vcore" in full ? "vcore" : Object.keys(full)[0] ?? "vcore";
  let most = 0;
  for (const [type, limit] of Object.entries(full)) {
    const part = limit > 0 ? (queue.used?.[type] ?? 0) / limit : 0;
    if (part > most) [best, most] = [type, part];
  }
  return best;
}

/** Labels for what is unusual: that it is no plain queue of the configuration, or in no plain state. */
export function badgesOf(queue: QueueDump): Badge[] {
  const badges: Badge[] = [];
  if (queue.partition !== undefined && parentPath(queue.path) === "") badges.push({ text: "partition", meaning: "The root of a partition beside the first: it has nodes and applications of its own." });
  if (queue.dynamic) badges.push({ text: "dynamic", meaning: "A placement rule created it. It is removed 10 seconds after its last application." });
  if (queue.state && queue.state !== "active") badges.push({ text: queue.state, meaning: "It accepts no new applications, and is removed with its last one." });
  const over = overMax(queue);
  if (over !== "") badges.push({ text: `over its max: ${over}`, meaning: "It uses more than its max, which was lowered, or allocations were restored." });
  return badges;
}

/** Labels for what is set, beside the amounts, and decides something. */
export function settingsOf({ leaf, properties: set = {} }: QueueDump): Badge[] {
  const offset = Number(set["priority.offset"] ?? 0);
  const settings: Badge[] = [];
  if (offset) settings.push({ text: `offset ${offset > 0 ? "+" : ""}${whole(offset)}`, meaning: "Added to the priority of the queue." });
  if (set["priority.policy"] === "fence") settings.push({ text: "priority fence", meaning: "Outside, its priority is its offset, whatever is inside." });
  if (set["preemption.policy"] === "fence") settings.push({ text: "preemption fence", meaning: "Asks in it find no victims outside it." });
  if (set["preemption.policy"] === "disabled") settings.push({ text: "no preemption", meaning: "Guarantees neither preempt for its asks nor preempt its allocations." });
  if (set["preemption.intra-queue"] === "enabled" && leaf) settings.push({ text: "intra-queue", meaning: "Asks may preempt lower priorities in the same leaf." });
  return settings;
}

/** What a queue below root uses beyond its max, by type; empty: nothing. */
function overMax({ path, max = {}, used = {} }: QueueDump): string {
  if (parentPath(path) === "") return "";
  const over = Object.entries(max).map(([type, most]) => [type, (used[type] ?? 0) - most] as const).filter(([, excess]) => excess > 0);
  return over.map(([type, excess]) => amountOf(type, excess)).join(", ");
}

function appRows(queue: string, apps: readonly AppModel[], level: number, most: number): Row[] {
  const listed: Row[] = apps.slice(0, most).map((app, i) => appRow(app, { level, at: i + 1, of: apps.length, open: undefined }));
  const left = apps.length - listed.length;
  if (left > 0) listed.push({ kind: "more", id: `${queue} more`, queue, count: left, place: { level, at: listed.length + 1, of: apps.length, open: undefined } });
  return listed;
}

function appRow(app: AppModel, place: Place): AppRow {
  let allocated = 0;
  for (const ask of app.asks.values()) if (ask.node !== undefined) allocated++;
  return { kind: "app", id: app.id, place, state: app.state, pending: app.asks.size - allocated, allocated };
}

/** Applications by queue, in order of submission, those that are over last. */
function appsOf(model: Pick<Model, "apps">): Map<string, AppModel[]> {
  const alive = new Map<string, AppModel[]>();
  const over: AppModel[] = [];
  const add = (app: AppModel) => {
    const list = alive.get(app.queue);
    if (list) list.push(app);
    else alive.set(app.queue, [app]);
  };
  for (const app of model.apps.values()) {
    if (isOver(app.state)) over.push(app);
    else add(app);
  }
  over.forEach(add);
  return alive;
}

export function isOver(state: string): boolean {
  return state === "Completed" || state === "Failed" || state === "Rejected" || state === "Expired";
}

function childrenOf(queues: readonly QueueDump[]): Map<string, QueueDump[]> {
  const children = new Map<string, QueueDump[]>();
  for (const queue of queues) {
    const parent = parentPath(queue.path);
    const list = children.get(parent);
    if (list) list.push(queue);
    else children.set(parent, [queue]);
  }
  return children;
}

function least(a: Amounts, b: Amounts | undefined): Amounts {
  const both = Object.assign(nothing(), a);
  for (const [type, limit] of Object.entries(b ?? {})) both[type] = Math.min(limit, both[type] ?? limit);
  return both;
}
