/** The books of a run: what nodes, queues and asks come to, followed line by line. The page's own ledger, as host/ledger is that of the command line. */

import type { Decision } from "../engine/types";
import { isDecision, type Input, type Line, type Quantities } from "../model/lines";
import { parseQuantity } from "../model/quantities";
import { Times } from "../model/times";
import { Shape } from "./stranded";

/** A queue that has had applications, or one above it. */
interface QueueBook {
  readonly path: string;
  readonly above: QueueBook | undefined;
  leaf: boolean;
  /** Asks of the subtree. */
  pending: number;
  /** Allocations of the subtree. */
  running: number;
}

export interface NodeBook {
  readonly id: string;
  capacity: number[];
  occupied: number[];
  readonly used: number[];
  attributes: Readonly<Record<string, string>>;
  schedulable: boolean;
}

export interface AskBook {
  readonly id: string;
  readonly app: string;
  readonly queue: QueueBook;
  readonly submitted: number;
  shape: Shape;
  node?: NodeBook;
}

/** What is told of, at the moment at which it happens. */
export interface Watcher {
  /** Time is about to move on: the books are those of the moment just past, and hold until then. */
  until(next: number): void;
  placed(ask: AskBook): void;
  left(ask: AskBook): void;
  decided(decision: Decision): void;
}

const refusals: ReadonlySet<string> = new Set(["node.rejected", "app.rejected", "ask.rejected", "config.rejected", "ignored"]);
const ends: ReadonlySet<string> = new Set(["Completed", "Failed", "Rejected"]);

export class Books {
  /** Nanoseconds since the first line. */
  now = 0;
  readonly types: string[] = [];
  readonly queues = new Map<string, QueueBook>();
  readonly nodes = new Map<string, NodeBook>();
  readonly shapes = new Map<string, Shape>();
  /** Of all nodes, drained ones too. */
  readonly capacity: number[] = [];
  /** By allocations. */
  readonly used: number[] = [];
  pending = 0;
  private readonly apps = new Map<string, { readonly queue: QueueBook; readonly waiting: Set<string> }>();
  private readonly asks = new Map<string, AskBook>();
  private readonly times = new Times();
  private readonly watcher: Watcher;
  /** An input that may still turn out to be refused. */
  private held: Input | undefined;

  constructor(watcher: Watcher) {
    this.watcher = watcher;
  }

  /** Follows the next line of what a session tells. */
  line(line: Line): void {
    const at = this.times.of(line.at);
    const refused = isDecision(line) && refusals.has(line.type);
    this.settle(refused);
    if (at > this.now) {
      this.watcher.until(at);
      this.now = at;
    }
    if (isDecision(line)) this.decision(line);
    else this.held = line;
  }

  /** Nothing more comes: the books hold until this time. */
  finish(at: number): void {
    this.settle(false);
    this.watcher.until(Math.max(at, this.now));
    this.now = Math.max(at, this.now);
  }

  /** An input is followed once the line behind it does not refuse it. */
  private settle(refused: boolean): void {
    const { held } = this;
    this.held = undefined;
    if (held && !refused) this.follow(held);
  }

  private follow(input: Input): void {
    const { type } = input;
    if (type === "node.add") this.addNode(input);
    else if (type === "node.update") this.updateNode(input);
    else if (type === "node.drain" || type === "node.resume") this.schedule(input.id, type === "node.resume");
    else if (type === "node.remove") this.removeNode(input.id);
    else if (type === "app.remove") this.dropAsks(input.id);
    else if (type === "ask.add" || type === "allocation.restore") this.addAsk(input);
    else if (type === "ask.update") this.updateAsk(input);
    else if (type === "ask.remove") this.withdraw(input.id);
  }

  private decision(d: Decision): void {
    const id = d.id ?? "";
    if (d.type === "app.accepted") this.apps.set(id, { queue: this.queue(d.queue ?? ""), waiting: new Set() });
    else if (d.type === "app.state" && ends.has(d.to ?? "")) this.apps.delete(id);
    else if (d.type === "allocation") this.allocated(id, d.node ?? "");
    else if (d.type === "release") this.released(id);
    this.watcher.decided(d);
  }

  private addNode(input: Input & { type: "node.add" }): void {
    const node: NodeBook = { id: input.id, capacity: this.amounts(input.capacity), occupied: this.amounts(input.occupied), used: [],
      attributes: input.attributes ?? {}, schedulable: input.schedulable ?? true };
    this.nodes.set(node.id, node);
    add(this.capacity, node.capacity, 1);
  }

  private updateNode(input: Input & { type: "node.update" }): void {
    const node = this.nodes.get(input.id);
    if (!node) return;
    if (input.capacity) {
      add(this.capacity, node.capacity, -1);
      node.capacity = this.amounts(input.capacity);
      add(this.capacity, node.capacity, 1);
    }
    if (input.occupied) node.occupied = this.amounts(input.occupied);
    if (input.attributes) node.attributes = input.attributes;
  }

  private schedule(id: string, schedulable: boolean): void {
    const node = this.nodes.get(id);
    if (node) node.schedulable = schedulable;
  }

  private removeNode(id: string): void {
    const node = this.nodes.get(id);
    if (node) add(this.capacity, node.capacity, -1);
    this.nodes.delete(id);
  }

  private addAsk(input: Input & { type: "ask.add" | "allocation.restore" }): void {
    const app = this.apps.get(input.app);
    if (!app) return;
    const shape = this.shape(new Shape(this.amounts(input.resources), input.constraints ?? {}, input.node ?? ""));
    const ask: AskBook = { id: input.id, app: input.app, queue: app.queue, submitted: this.now, shape };
    this.asks.set(ask.id, ask);
    this.wait(ask, 1);
    if (input.type === "allocation.restore") this.place(ask, input.placed_on);
  }

  private updateAsk(input: Input & { type: "ask.update" }): void {
    const ask = this.asks.get(input.id);
    if (!ask || ask.node || !input.resources) return;
    this.wait(ask, -1);
    const old = ask.shape;
    ask.shape = this.shape(new Shape(this.amounts(input.resources), old.constraints, old.node));
    this.forget(old);
    this.wait(ask, 1);
  }

  private dropAsks(app: string): void {
    for (const id of this.apps.get(app)?.waiting ?? []) this.withdraw(id);
  }

  private withdraw(id: string): void {
    const ask = this.asks.get(id);
    if (!ask || ask.node) return;
    this.wait(ask, -1);
    this.asks.delete(id);
    this.forget(ask.shape);
  }

  private allocated(id: string, on: string): void {
    const ask = this.asks.get(id);
    if (!ask || ask.node) return;
    if (this.place(ask, on)) this.watcher.placed(ask);
  }

  private place(ask: AskBook, on: string): boolean {
    const node = this.nodes.get(on);
    if (!node) return false;
    this.wait(ask, -1);
    ask.node = node;
    this.use(ask, node, 1);
    return true;
  }

  private released(id: string): void {
    const ask = this.asks.get(id);
    if (!ask?.node) return;
    this.use(ask, ask.node, -1);
    this.asks.delete(id);
    this.watcher.left(ask);
    this.forget(ask.shape);
  }

  private wait(ask: AskBook, by: number): void {
    const waiting = this.apps.get(ask.app)?.waiting;
    if (by > 0) waiting?.add(ask.id);
    else waiting?.delete(ask.id);
    ask.shape.pending += by;
    this.pending += by;
    for (let q: QueueBook | undefined = ask.queue; q; q = q.above) q.pending += by;
  }

  private use(ask: AskBook, node: NodeBook, by: number): void {
    add(node.used, ask.shape.amounts, by);
    add(this.used, ask.shape.amounts, by);
    for (let q: QueueBook | undefined = ask.queue; q; q = q.above) q.running += by;
  }

  /** The books of a queue, opened, with those above it, at first sight. */
  private queue(path: string): QueueBook {
    const known = this.queues.get(path);
    if (known) return known;
    const dot = path.lastIndexOf(".");
    const above = dot > 0 ? this.queue(path.slice(0, dot)) : undefined;
    if (above) above.leaf = false;
    const made: QueueBook = { path, above, leaf: true, pending: 0, running: 0 };
    this.queues.set(path, made);
    return made;
  }

  /** The one Shape for asks that are alike. */
  private shape(shape: Shape): Shape {
    const one = this.shapes.get(shape.key) ?? shape;
    this.shapes.set(one.key, one);
    one.asks++;
    return one;
  }

  private forget(shape: Shape): void {
    if (--shape.asks === 0) this.shapes.delete(shape.key);
  }

  private amounts(set: Quantities | undefined): number[] {
    const amounts: number[] = [];
    for (const [type, written] of Object.entries(set ?? {})) {
      let i = this.types.indexOf(type);
      if (i < 0) i = this.types.push(type) - 1;
      while (amounts.length <= i) amounts.push(0);
      amounts[i] = parseQuantity(type, written);
    }
    return amounts;
  }
}

function add(to: number[], amounts: readonly number[], sign: number): void {
  while (to.length < amounts.length) to.push(0);
  for (const [i, amount] of amounts.entries()) to[i] = (to[i] ?? 0) + sign * amount;
}
