/** The rows of the chart: nodes, queues, or of many as many together as leave few rows. */

import { endOf, type Span, type Spans } from "./span";

export type By = "node" | "queue";

/** Some of the things that rows stand for, by their place in the order of all. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Row {
  readonly key: string;
  readonly label: string;
  /** The nodes or queues that it stands for. */
  readonly names: readonly string[];
  /** Set where it stands for several. */
  readonly part?: Part;
  readonly spans: readonly Span[];
  /** What does not overlap is in one lane, one below the other; undefined: there is too much at once, and only how many run is drawn. */
  readonly lanes: readonly (readonly Span[])[] | undefined;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** How many nodes or queues there are. */
  readonly all: number;
}

/** So many rows stand for one thing each; of more, several are taken together. */
const mostSingle = 100;
const mostTogether = 50;
/** More lanes cannot be told apart. */
const mostLanes = 16;

/** The rows of some nodes or queues, or of all. */
export function rowsOf({ spans, nodes, now }: Spans, by: By, part?: Part): Rows {
  const of = new Map<string, Span[]>(by === "node" ? nodes.map((node) => [node, []]) : []);
  for (const span of spans) {
    const there = of.get(span[by]);
    if (there) there.push(span);
    else if (by === "queue" || span.kind !== "ended") of.set(span[by], [span]); // what ended on a node that is gone has no row
  }
  const names = by === "node" ? [...of.keys()] : [...of.keys()].sort();
  const { from, to } = part ?? { from: 0, to: names.length };
  const some = names.slice(from, to);
  const size = some.length <= mostSingle ? 1 : Math.ceil(some.length / mostTogether);
  const rows: Row[] = [];
  for (let i = 0; i < some.length; i += size) {
    const together = some.slice(i, i + size);
    const [first = ""] = together;
    const mine = together.flatMap((name) => of.get(name) ?? []).sort((a, b) => a.from - b.from);
    const single = together.length === 1;
    rows.push({
      key: first, names: together, spans: mine, label: single ? first : `${first} +${together.length - 1}`,
      ...(!single && { part: { from: from + i, to: from + i + together.length } }), lanes: single ? lanesOf(mine, now) : undefined,
    });
  }
  return { rows, all: names.length };
}

/** Each into the first lane that is free by then; undefined: there are too many. */
export function lanesOf(spans: readonly Span[], now: number): Span[][] | undefined {
  const lanes: { end: number; readonly list: Span[] }[] = [];
  for (const span of spans) {
    const free = lanes.find(({ end }) => end <= span.from);
    const end = endOf(span, now);
    if (free) {
      free.end = end;
      free.list.push(span);
    } else if (lanes.length === mostLanes) {
      return undefined;
    } else {
      lanes.push({ end, list: [span] });
    }
  }
  return lanes.map(({ list }) => list);
}

/** How many there are from a time on. */
export interface Load {
  readonly at: number;
  readonly run: number;
  /** With those that are planned. */
  readonly all: number;
}

/** How many run, and how many with those planned, at each time at which that changes. */
export function loadOf(spans: readonly Span[], now: number): readonly Load[] {
  const changes: (readonly [at: number, run: number, planned: number])[] = [];
  for (const span of spans) {
    const [run, planned] = span.kind === "planned" ? [0, 1] : [1, 0];
    const end = endOf(span, now);
    changes.push([span.from, run, planned]);
    if (end < Infinity) changes.push([Math.max(end, span.from), -run, -planned]);
  }
  changes.sort((a, b) => a[0] - b[0]);
  const list: Load[] = [];
  let [run, all] = [0, 0];
  for (const [at, more, planned] of changes) {
    run += more;
    all += more + planned;
    if (list.at(-1)?.at === at) list.pop();
    list.push({ at, run, all });
  }
  return list;
}

/** The load at a time. */
export function loadAt(loads: readonly Load[], at: number): Load {
  return loads.findLast((one) => one.at <= at) ?? { at, run: 0, all: 0 };
}
