import { expect, test } from "vitest";
import { linesOf, nextSpot, targetAt } from "./layout";
import { windowsBetween } from "./repeated";
import { lanesOf, loadAt, loadOf, rowsOf } from "./rows";
import { around, ticksOf } from "./scale";
import { describe, describeWindow, endOf, extent, tally, type Span, type Spans } from "./span";

const minute = 60e9;
const span = (ask: string, node: string, from: number, until: number | undefined, kind: Span["kind"] = "runs", why = ""): Span =>
  ({ ask, app: `of-${ask}`, queue: "root.a", node, from: from * minute, until: until === undefined ? undefined : until * minute, kind, why });
const say = (at: number) => `${at / minute}m`;
const cluster = (spans: readonly Span[], nodes = ["n1", "n2"], now = 10): Spans => ({ now: now * minute, nodes, spans, windows: [] });

test("words tell name, times and why", () => {
  expect(describe(span("a", "n1", 1, 30), say)).toBe("a of of-a in root.a runs on n1 since 1m. It promises to end at 30m.");
  expect(describe(span("a", "n1", 1, undefined), say)).toContain("It promises no end.");
  expect(describe(span("a", "n1", 1, 5, "late"), say)).toBe("a of of-a in root.a runs on n1 since 1m. Its promised end, 5m, has passed.");
  expect(describe(span("a", "n1", 1, 5, "leaves", "it leaves for b"), say)).toContain("was told to leave: it leaves for b.");
  expect(describe(span("b", "n2", 30, 60, "planned", "it starts earlier"), say)).toBe("b of of-b in root.a waits. It starts on n2 at 30m at the latest, and runs until 60m then: it starts earlier.");
  expect(describe(span("b", "n2", 30, undefined, "planned"), say)).toContain("at 30m at the latest, and promises no end.");
  expect(describe(span("c", "n2", 1, 4, "ended", "it finished"), say)).toBe("c of of-c in root.a ran on n2 from 1m until 4m: it finished.");
  expect(describeWindow({ window: "w", open: false, from: minute, until: undefined, nodes: ["n1"], names: "" }, say)).toBe("Window w, opens at 1m, stays open: n1, for no ask: a maintenance.");
  expect(describeWindow({ window: "w", open: true, from: minute, until: 2 * minute, every: 5, nodes: ["1", "2", "3", "4"], names: "user ann" }, say)).toBe("Window w, open since 1m, until 2m, and comes again: 4 nodes, only for user ann.");
  expect(tally([span("a", "n1", 1, 2), span("b", "n1", 1, 2, "late"), span("c", "n1", 1, 2, "planned")])).toBe("2 run, 1 past the promised end, 1 planned");
  expect(tally([])).toBe("0 run");
});

test("what overlaps is in lanes of its own; a late one is there until now, one without an end for good", () => {
  const lanes = lanesOf([span("a", "n1", 0, 5), span("b", "n1", 3, 8), span("c", "n1", 5, undefined), span("d", "n1", 8, 9)], 10 * minute);
  expect(lanes?.map((lane) => lane.map(({ ask }) => ask))).toEqual([["a", "c"], ["b", "d"]]);
  expect(endOf(span("a", "n1", 0, 5, "late"), 10 * minute)).toBe(10 * minute);
  expect(lanesOf(Array.from({ length: 17 }, (_, i) => span(`a${i}`, "n1", 0, 5)), 0)).toBeUndefined();
});

test("a row for each node up to a hundred; of more, some together, which open", () => {
  const three = rowsOf(cluster([span("a", "n2", 0, 5), span("gone", "n9", 0, 5, "ended")]), "node");
  expect(three.rows.map(({ label, part }) => [label, part])).toEqual([["n1", undefined], ["n2", undefined]]);
  const nodes = Array.from({ length: 1000 }, (_, i) => `n${i}`);
  const many = rowsOf(cluster([span("a", "n7", 0, 5), span("b", "n999", 0, 5)], nodes), "node");
  expect([many.rows.length, many.all, many.rows[0]?.label, many.rows[0]?.lanes]).toEqual([50, 1000, "n0 +19", undefined]);
  expect(many.rows.at(-1)?.spans.map(({ ask }) => ask)).toEqual(["b"]);
  const opened = rowsOf(cluster([span("a", "n7", 0, 5)], nodes), "node", many.rows[0]?.part);
  expect([opened.rows.length, opened.rows[7]?.spans.length, opened.all]).toEqual([20, 1, 1000]);
  const queues = rowsOf(cluster([{ ...span("a", "n1", 0, 5), queue: "root.b" }, span("gone", "n9", 0, 5, "ended")]), "queue");
  expect(queues.rows.map(({ label }) => label)).toEqual(["root.a", "root.b"]);
});

test("how many run at once, and how many with those planned", () => {
  const loads = loadOf([span("a", "n1", 0, 5), span("b", "n1", 2, undefined), span("c", "n1", 5, 8, "planned")], 10 * minute);
  expect(loads.map(({ at, run, all }) => [at / minute, run, all])).toEqual([[0, 1, 1], [2, 2, 2], [5, 1, 2], [8, 1, 1]]);
  expect(loadAt(loads, 3 * minute).run).toBe(2);
  expect(loadAt(loads, -1).all).toBe(0);
});

test("all that is known fits; what is far off does not press the rest together", () => {
  const [from, to] = extent(cluster([span("a", "n1", 5, 30)]));
  expect(from).toBe(5 * minute);
  expect(to).toBeGreaterThan(30 * minute);
  expect(extent(cluster([span("old", "n1", 0, 1, "ended"), span("a", "n1", 99, 130)], ["n1"], 100))[0]).toBeGreaterThanOrEqual(0);
  const far = { window: "w", open: false, from: 1e6 * minute, until: undefined, nodes: [], names: "" };
  expect(extent({ ...cluster([span("a", "n1", 5, 30)]), windows: [far] })[1]).toBe(to);
  expect(extent(cluster([]))[1]).toBeGreaterThan(10 * minute);
  expect(around(0, "1h")).toEqual([-15 * minute, 45 * minute]);
});

test("a window that comes again opens in each stretch that it reaches, so often at most", () => {
  const daily = { from: 10, until: 20, every: 100, open: true };
  expect(windowsBetween(daily, 0, 250).map(({ from, until, open }) => [from, until, open])).toEqual([[10, 20, true], [110, 120, false], [210, 220, false]]);
  expect(windowsBetween(daily, 130, 250)).toHaveLength(1);
  expect(windowsBetween({ from: 10, until: undefined, open: false }, 0, 5)).toEqual([]);
  expect(windowsBetween({ ...daily, every: 1 }, 0, 1e9)).toHaveLength(60);
});

test("ticks are round, and so far apart", () => {
  expect(ticksOf({ from: 0, to: 60 * minute, width: 400 }, 80).map((at) => at / minute)).toEqual([0, 15, 30, 45, 60]);
  expect(ticksOf({ from: 0, to: 0, width: 400 }, 80)).toEqual([]);
  expect(ticksOf({ from: 7, to: 24 * 60 * minute, width: 100 }, 80, 60 * minute)[0]).toBe(60 * minute);
});

test("a point finds the nearest thing, and the name of its row", () => {
  const { rows } = rowsOf(cluster([span("a", "n1", 0, 5), span("b", "n1", 3, 8)]), "node");
  const { lines, height } = linesOf(rows, 300);
  const scale = { from: 0, to: 10 * minute, width: 100 };
  const at = (x: number, y: number) => { const found = targetAt(lines, scale, 10 * minute, x, y); return found?.kind === "span" ? found.span.ask : found?.kind === "row" ? found.row.key : undefined; };
  expect([at(10, 5), at(60, 32), at(85, 32), at(-5, 5), at(99, 5), at(10, height - 2), at(10, height + 2)]).toEqual(["a", "b", "b", "n1", "n1", "n2", undefined]);
});

test("arrow keys go along a row and from row to row", () => {
  const near = () => 1;
  expect(nextSpot([2, 3], { row: 0, item: -1 }, "ArrowRight", near)).toEqual({ row: 0, item: 0 });
  expect(nextSpot([2, 3], { row: 0, item: 1 }, "ArrowRight", near)).toBeUndefined();
  expect(nextSpot([2, 3], { row: 0, item: 0 }, "ArrowLeft", near)).toEqual({ row: 0, item: -1 });
  expect(nextSpot([2, 3], { row: 0, item: 0 }, "ArrowDown", near)).toEqual({ row: 1, item: 1 });
  expect(nextSpot([2, 0], { row: 0, item: 0 }, "End", near)).toEqual({ row: 1, item: -1 });
  expect(nextSpot([], { row: 0, item: 0 }, "Home", near)).toBeUndefined();
  expect(nextSpot([1], { row: 0, item: 0 }, "x", near)).toBeUndefined();
});
