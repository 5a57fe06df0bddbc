/** Stranded room: what is free, and of no use to anybody who waits. As host/ledger has it. */

import type { NodeBook } from "./books";

/** How many shapes of waiting asks are held against nodes at most; beyond, the answer is approximate. */
const mostShapes = 200;

/** What asks want that are alike. */
export class Shape {
  readonly amounts: readonly number[];
  readonly constraints: Readonly<Record<string, readonly string[]>>;
  /** The node that it requires; empty: any. */
  readonly node: string;
  readonly key: string;
  /** Asks that wait. */
  pending = 0;
  /** Asks and allocations of this shape. */
  asks = 0;

  constructor(amounts: readonly number[], constraints: Readonly<Record<string, readonly string[]>>, node: string) {
    this.amounts = amounts;
    this.constraints = constraints;
    this.node = node;
    const names = Object.keys(constraints).sort();
    this.key = JSON.stringify([amounts, node, names.map((name) => [name, constraints[name]])]);
  }

  fits(node: NodeBook): boolean {
    return this.allows(node) && this.amounts.every((wanted, i) => wanted <= 0 || free(node, i) >= wanted);
  }

  /** Whether a node would take it if no allocation were there. */
  fitsEmpty(node: NodeBook): boolean {
    return this.allows(node) && this.amounts.every((wanted, i) => wanted <= 0 || (node.capacity[i] ?? 0) - (node.occupied[i] ?? 0) >= wanted);
  }

  /** Whether the node is schedulable and has what the ask requires, room apart. */
  private allows(node: NodeBook): boolean {
    if (!node.schedulable || (this.node !== "" && this.node !== node.id)) return false;
    return Object.entries(this.constraints).every(([name, allowed]) => {
      const value = Object.hasOwn(node.attributes, name) ? node.attributes[name] : undefined;
      return value !== undefined && allowed.includes(value);
    });
  }

  /** Whether it fits wherever another does. */
  private covers(other: Shape): boolean {
    return this.node === "" && Object.keys(this.constraints).length === 0
      && this.amounts.every((wanted, i) => wanted <= (other.amounts[i] ?? 0));
  }

  /** Those that wait, without those that fit nowhere but where a smaller one fits too. */
  static waiting(shapes: Iterable<Shape>, capacity: readonly number[]): Shape[] {
    const size = (s: Shape) => Math.max(0, ...s.amounts.map((wanted, i) => (capacity[i] ? wanted / capacity[i] : 0)));
    const all = [...shapes].filter((s) => s.pending > 0).sort((a, b) => size(a) - size(b));
    const least: Shape[] = [];
    for (const s of all) {
      if (least.length === mostShapes) break;
      if (!least.some((small) => small.covers(s))) least.push(s);
    }
    return least;
  }
}

/** The room for a type, never below 0. */
function free(node: NodeBook, i: number): number {
  return Math.max(0, (node.capacity[i] ?? 0) - (node.occupied[i] ?? 0) - (node.used[i] ?? 0));
}

/**
 * By type: the free room on schedulable nodes that take none of the asks that wait, as far as an ask waits for that type.
 * Only asks count that some node would take if it were empty. When none waits no room is stranded: it is idle.
 */
export function stranded(types: number, every: Iterable<NodeBook>, shapes: readonly Shape[]): number[] {
  const room = new Array<number>(types).fill(0);
  const nodes = [...every];
  const waiting = shapes.filter((s) => nodes.some((node) => s.fitsEmpty(node)));
  if (waiting.length === 0) return room;
  const wanted = room.map((_, i) => waiting.some((s) => (s.amounts[i] ?? 0) > 0));
  for (const node of nodes) {
    if (!node.schedulable || waiting.some((s) => s.fits(node))) continue;
    for (let i = 0; i < types; i++) if (wanted[i]) room[i] = (room[i] ?? 0) + free(node, i);
  }
  return room;
}
