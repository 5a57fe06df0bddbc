/** Where rows and what is in them are drawn, and what is under a point. */

import type { Row } from "./rows";
import { xOf, type Scale } from "./scale";
import { endOf, type Span, type WindowSpan } from "./span";

/** A row with its place, in pixels. */
export interface Line {
  readonly row: Row;
  readonly top: number;
  readonly height: number;
  /** Of each of its lanes. */
  readonly lane: number;
}

/** Above and below the lanes of a row. */
export const pad = 3;
const [leastLane, mostLane, leastLine] = [5, 26, 18];

export function linesOf(rows: readonly Row[], room: number): { readonly lines: readonly Line[]; readonly height: number } {
  const lanes = rows.reduce((sum, { lanes: of }) => sum + Math.max(1, of?.length ?? 2), 0);
  const lane = Math.min(mostLane, Math.max(leastLane, Math.floor((room - rows.length * 2 * pad) / Math.max(1, lanes))));
  let top = 0;
  const lines = rows.map((row) => {
    const height = Math.max(leastLine, Math.max(1, row.lanes?.length ?? 2) * lane + 2 * pad);
    const line = { row, top, height, lane };
    top += height;
    return line;
  });
  return { lines, height: top };
}

/** What is picked or told of. */
export type Target =
  | { readonly kind: "row"; readonly row: Row }
  | { readonly kind: "span"; readonly row: Row; readonly span: Span }
  | { readonly kind: "window"; readonly window: WindowSpan };

/** How far off, in pixels, a finger may be. */
const near = 12;

/** What is at a point of the rows; the nearest where nothing is exactly there. x is from where time begins: below 0 are the names of rows. */
export function targetAt(lines: readonly Line[], scale: Scale, now: number, x: number, y: number): Target | undefined {
  const line = lines.find(({ top, height }) => y >= top && y < top + height);
  if (!line) return undefined;
  const { row } = line;
  if (x < 0 || !row.lanes) return { kind: "row", row };
  const at = Math.min(row.lanes.length - 1, Math.max(0, Math.floor((y - line.top - pad) / line.lane)));
  const order = [...row.lanes.keys()].sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
  for (const lane of order) {
    const found = nearest(row.lanes[lane] ?? [], scale, now, x);
    if (found) return { kind: "span", row, span: found };
  }
  return { kind: "row", row };
}

function nearest(spans: readonly Span[], scale: Scale, now: number, x: number): Span | undefined {
  let [best, least] = [undefined as Span | undefined, near];
  for (const span of spans) {
    const off = Math.max(xOf(scale, span.from) - x, x - xOf(scale, Math.min(endOf(span, now), scale.to)));
    if (off < least) [best, least] = [span, off];
  }
  return best;
}

/** Where the arrow keys are: a row, and in it one of its spans; before the first one its name. The first row may be that of windows. */
export interface Spot {
  readonly row: number;
  readonly item: number;
}

/** The things that arrow keys go through: of each row, how many. */
export function nextSpot(counts: readonly number[], { row, item }: Spot, key: string, nearestIn: (row: number) => number): Spot | undefined {
  const last = counts.length - 1;
  if (last < 0) return undefined;
  const of = (to: number) => ({ row: to, item: Math.min(nearestIn(to), (counts[to] ?? 0) - 1) });
  switch (key) {
    case "ArrowRight": return item + 1 < (counts[row] ?? 0) ? { row, item: item + 1 } : undefined;
    case "ArrowLeft": return item >= 0 ? { row, item: item - 1 } : undefined;
    case "ArrowDown": return row < last ? of(row + 1) : undefined;
    case "ArrowUp": return row > 0 ? of(row - 1) : undefined;
    case "Home": return of(0);
    case "End": return of(last);
    default: return undefined;
  }
}

/** Which of some spans, in order, is nearest to a time. */
export function indexNear(spans: readonly Span[], at: number): number {
  let [best, least] = [-1, Infinity];
  for (const [i, { from }] of spans.entries()) if (Math.abs(from - at) < least) [best, least] = [i, Math.abs(from - at)];
  return best;
}

