/** Holds two runs against each other: the first decision where they part, and which asks went elsewhere, earlier or later. */

import type { Decision } from "../engine/types";
import type { Placement } from "./metrics";

/** Decisions that come before the first that differs, which both runs made. */
const before = 3;

/** Where two runs part. A decision is missing where a run has come to its end. */
export interface Parting {
  readonly common: readonly Decision[];
  readonly a: Decision | undefined;
  readonly b: Decision | undefined;
}

/** Compares two sequences of decisions as they come, and keeps only what the other side has not come to yet. */
export class Comparison {
  parting: Parting | undefined;
  /** Decisions that are the same in both, so far. */
  same = 0;
  private a: Decision[] = [];
  private b: Decision[] = [];
  private readonly common: Decision[] = [];

  add(side: "a" | "b", decision: Decision): void {
    if (!this.parting) this[side].push(decision);
  }

  /** Compares what both sides have. */
  settle(): void {
    if (this.parting) return;
    const both = Math.min(this.a.length, this.b.length);
    for (let i = 0; i < both; i++) {
      const [a, b] = [this.a[i], this.b[i]];
      if (!a || !b) break;
      if (!alike(a, b)) {
        this.part(a, b);
        return;
      }
      this.same++;
      this.common.push(a);
      if (this.common.length > before) this.common.shift();
    }
    this.a = this.a.slice(both);
    this.b = this.b.slice(both);
  }

  /** Nothing more comes: what only one side has is where they part. */
  finish(): void {
    this.settle();
    const [a, b] = [this.a[0], this.b[0]];
    if (!this.parting && (a ?? b)) this.part(a, b);
  }

  private part(a: Decision | undefined, b: Decision | undefined): void {
    this.parting = { common: this.common, a, b };
    this.a = [];
    this.b = [];
  }
}

/** Warnings of a configuration are about its text, which always differs. */
function alike(a: Decision, b: Decision): boolean {
  const written = (d: Decision) => JSON.stringify(d.type === "config.accepted" ? { ...d, warnings: undefined } : d);
  return written(a) === written(b);
}

/** How many asks differ in where and when they first went. */
export interface Differ {
  readonly both: number;
  readonly moved: number;
  readonly earlier: number;
  readonly later: number;
  readonly onlyA: number;
  readonly onlyB: number;
}

/** Holds the first places of asks against each other. */
export function differ(a: ReadonlyMap<string, Placement>, b: ReadonlyMap<string, Placement>): Differ {
  const d = { both: 0, moved: 0, earlier: 0, later: 0, onlyA: 0, onlyB: 0 };
  for (const [id, was] of a) {
    const is = b.get(id);
    if (!is) {
      d.onlyA++;
      continue;
    }
    d.both++;
    if (is.at < was.at) d.earlier++;
    if (is.at > was.at) d.later++;
    if (is.node !== was.node) d.moved++;
  }
  for (const id of b.keys()) if (!a.has(id)) d.onlyB++;
  return d;
}
