import type { Amounts, QueueDump } from "../engine/types";
import type { Ask } from "./lines";
import type { AppModel, AskModel, NodeModel } from "./model";
import { shownPath } from "./paths";
import { nothing, parseQuantities } from "./quantities";
import { Times } from "./times";

/** The objects of a cluster and their sums, with the changes that inputs and decisions are made of. */
export class Objects {
  readonly nodes = new Map<string, NodeModel>();
  readonly apps = new Map<string, AppModel>();
  readonly asks = new Map<string, AskModel>();
  readonly queues = new Map<string, QueueDump>();
  /** Pending asks in the order of submission. */
  readonly waiting = new Map<string, AskModel>();
  /** Applications that ended and did not expire, by ID: an ID may be used again before. */
  readonly ended = new Map<string, number>();
  readonly times = new Times();
  capacity = nothing();
  used = nothing();
  version = 0;
  /** The allocation that was released last. */
  released: AskModel | undefined;
  /** Waits of the asks that were allocated since they were last taken, in nanoseconds. */
  waits = { sum: 0, count: 0 };

  get pending(): number {
    return this.waiting.size;
  }

  get oldest(): AskModel | undefined {
    for (const ask of this.waiting.values()) return ask;
    return undefined;
  }

  setQueues(queues: readonly QueueDump[]): void {
    this.version++;
    this.queues.clear();
    for (const queue of queues) {
      const path = shownPath(queue.partition, queue.path);
      this.queues.set(path, { ...queue, path });
    }
  }

  clear(): void {
    for (const each of [this.nodes, this.apps, this.asks, this.waiting, this.ended]) each.clear();
    this.capacity = nothing();
    this.used = nothing();
    this.waits = { sum: 0, count: 0 };
  }

  addNode(node: Omit<NodeModel, "version" | "allocations" | "used">): NodeModel {
    const added = { ...node, used: nothing(), allocations: new Map<string, AskModel>(), version: this.version };
    this.nodes.set(node.id, added);
    add(this.capacity, node.capacity);
    return added;
  }

  resizeNode(node: NodeModel, capacity: Amounts): void {
    subtract(this.capacity, node.capacity);
    add(this.capacity, capacity);
    node.capacity = capacity;
  }

  removeNode(node: NodeModel): void {
    const keeper = node.kept === undefined ? undefined : this.asks.get(node.kept);
    if (keeper) this.keep(keeper, undefined);
    subtract(this.capacity, node.capacity);
    this.nodes.delete(node.id);
  }

  addAsk(app: AppModel, { id, priority = 0, resources, placeholder, gang, gang_min = 1 }: Ask, at: number): AskModel {
    const ask: AskModel = { id, app: app.id, priority, resources: parseQuantities(resources), submitted: at, placeholder: placeholder ? true : undefined, gang };
    if (gang !== undefined && !app.gangs.has(gang)) app.gangs.set(gang, { id: gang, min: gang_min, broken: false, single: false });
    this.asks.set(id, ask);
    app.asks.set(id, ask);
    return ask;
  }

  place(ask: AskModel, node: NodeModel | undefined, at: number): void {
    this.waiting.delete(ask.id);
    this.keep(ask, undefined);
    ask.node = node?.id;
    ask.allocated = at;
    add(this.used, ask.resources);
    if (!node) return;
    add(node.used, ask.resources);
    node.allocations.set(ask.id, ask);
    node.version = this.version;
  }

  /** Takes an ask away for good, with its allocation. */
  remove(ask: AskModel): void {
    if (ask.node === undefined) {
      this.waiting.delete(ask.id);
      this.keep(ask, undefined);
      this.reserve(ask, undefined);
    } else {
      this.free(ask, ask.node);
    }
    this.asks.delete(ask.id);
    this.apps.get(ask.app)?.asks.delete(ask.id);
  }

  private free(ask: AskModel, place: string): void {
    subtract(this.used, ask.resources);
    const node = this.nodes.get(place);
    if (!node?.allocations.delete(ask.id)) return; // the node went first
    subtract(node.used, ask.resources);
    node.version = this.version;
  }

  reserve(ask: AskModel, node: NodeModel | undefined): void {
    this.hold("reserved", ask, node);
  }

  keep(ask: AskModel, node: NodeModel | undefined): void {
    this.hold("kept", ask, node);
  }

  /** Notes on both sides that a node is for an ask, and not for another; undefined: no node is. */
  private hold(how: "reserved" | "kept", ask: AskModel, node: NodeModel | undefined): void {
    const before = ask[how] === undefined ? undefined : this.nodes.get(ask[how]);
    if (before?.[how] === ask.id) {
      before[how] = undefined;
      before.version = this.version;
    }
    ask[how] = node?.id;
    if (!node) return;
    node[how] = ask.id;
    node.version = this.version;
  }
}

function add(sum: Amounts, amounts: Amounts): void {
  for (const type in amounts) sum[type] = (sum[type] ?? 0) + (amounts[type] ?? 0);
}

/** What comes to nothing is left out, as in the scheduler's own state. */
function subtract(sum: Amounts, amounts: Amounts): void {
  for (const type in amounts) {
    const rest = (sum[type] ?? 0) - (amounts[type] ?? 0);
    if (rest === 0) Reflect.deleteProperty(sum, type);
    else sum[type] = rest;
  }
}
