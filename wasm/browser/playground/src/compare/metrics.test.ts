import { expect, test } from "vitest";
import type { Line } from "../model/lines";
import { Samples } from "./levels";
import { Measure } from "./metrics";
import { Tally } from "./tally";

const second = 1e9;

function measured(lines: readonly object[], end: number) {
  const measure = new Measure();
  let seq = 0;
  for (const line of lines) measure.line(("decided" in line ? { ...line, seq: ++seq } : line) as Line);
  return measure.figures(end * second);
}

const decided = { decided: true };
const app = (id: string, queue: string) => [{ type: "app.add", at: "0s", id, queue }, { type: "app.accepted", at: "0s", id, queue, ...decided }];
const ask = (at: string, id: string, of: string, vcore: number, more = {}) => ({ type: "ask.add", at, id, app: of, resources: { vcore }, ...more });
const placed = (at: string, id: string, node = "n1") => ({ type: "allocation", at, id, node, ...decided });
const released = (at: string, id: string) => ({ type: "release", at, id, reason: "finished", ...decided });

// A node of 4 cores. x takes 2 of them for 10 s, while y wants 4 and waits; then y has all for 10 s. z never fits.
const short = [
  { type: "node.add", at: "0s", id: "n1", capacity: { vcore: 4 } },
  { type: "node.accepted", at: "0s", id: "n1", ...decided },
  ...app("a", "root.a"), ...app("b", "root.b"),
  ask("0s", "x", "a", 2), ask("0s", "y", "a", 4), ask("0s", "z", "b", 10),
  placed("0s", "x"), released("10s", "x"), placed("10s", "y"), released("20s", "y"),
];

test("a run of two allocations comes to what is computed by hand", () => {
  const f = measured(short, 20);
  expect(f).toMatchObject({ decisions: 7, allocated: 2, pending: 1, preempted: 0, faults: 0, makespan: 20 });
  expect(f.waits).toEqual({ mean: 5, p50: 0, p95: 10, p99: 10, most: 10 });
  expect(f.used).toEqual({ vcore: (2 * 10 + 4 * 10) / (4 * 20) });
  expect(f.stranded).toEqual({ vcore: (2 * 10) / (4 * 20) });
  expect(f.fairness).toBeCloseTo(0.75 ** 2 / (2 * 0.75 ** 2)); // root.a had 1 of 2, then 1 of 1; root.b nothing
  expect([...f.placed]).toEqual([["x", { node: "n1", at: 0 }], ["y", { node: "n1", at: 10 }]]);
  expect(f.curves.times).toEqual([10, 20]);
  expect(f.curves.pending).toEqual([2, 1]);
  expect(f.curves.used.vcore).toEqual([0.5, 1]);
  expect(f.curves.stranded.vcore).toEqual([0.5, 0]);
  expect(f.curves.waits).toEqual([[0, 0.5], [10, 1]]);
});

test("what was refused changes nothing", () => {
  const refused = [
    { type: "node.add", at: "0s", id: "n1", capacity: { vcore: 96 } },
    { type: "node.rejected", at: "0s", id: "n1", reason: "duplicate", ...decided },
    ask("0s", "x", "a", 2),
    { type: "ask.rejected", at: "0s", id: "x", app: "a", reason: "duplicate", ...decided },
    { type: "ask.remove", at: "0s", id: "y" },
    { type: "ignored", at: "0s", id: "y", input: "ask.remove", reason: "not-pending", ...decided },
  ];
  const f = measured([...short.slice(0, 10), ...refused, ...short.slice(10)], 20);
  expect(f).toMatchObject({ allocated: 2, pending: 1, used: { vcore: 0.75 } });
});

test("room is stranded only where a waiting ask could use none of it", () => {
  const base = [
    { type: "node.add", at: "0s", id: "n1", capacity: { vcore: 4, memory: 100 }, attributes: { zone: "a" } },
    { type: "node.add", at: "0s", id: "n2", capacity: { vcore: 4, memory: 100 }, occupied: { vcore: 3 } },
    ...app("a", "root.a"),
  ];
  const wait = (resources: object, more = {}) => measured([...base, { ...ask("0s", "x", "a", 0, more), resources }, { type: "tick", at: "1s" }], 1).stranded;
  expect(wait({ vcore: 2 })).toEqual({ vcore: 1 / 8, memory: 0 }); // n2 is too full, and nobody waits for memory
  expect(wait({ vcore: 5, memory: 1 })).toEqual({ vcore: 0, memory: 0 }); // it is too large for every node
  expect(wait({ vcore: 1 }, { constraints: { zone: ["b"] } })).toEqual({ vcore: 0, memory: 0 }); // likewise
  expect(wait({ vcore: 1 }, { node: "n2" })).toEqual({ vcore: 4 / 8, memory: 0 });
  expect(measured([...base, { type: "node.drain", at: "0s", id: "n2" }, ask("0s", "x", "a", 9), { type: "tick", at: "1s" }], 1).stranded.vcore).toBe(0);
  expect(measured([...base, { type: "tick", at: "1s" }], 1).stranded).toEqual({ vcore: 0, memory: 0 }); // idle
});

test("nodes and asks that change are followed", () => {
  const f = measured([
    ...short.slice(0, 9),
    { type: "ask.update", at: "0s", id: "y", resources: { vcore: 1 } },
    { type: "app.remove", at: "0s", id: "b" },
    { type: "node.update", at: "0s", id: "n1", capacity: { vcore: 8 } },
    placed("0s", "x"),
    { type: "node.add", at: "5s", id: "n2", capacity: { vcore: 8 } },
    { type: "node.remove", at: "10s", id: "n2" },
  ], 10);
  expect(f.pending).toBe(1);
  expect(f.used.vcore).toBe((2 * 10) / (8 * 5 + 16 * 5));
  expect(f.stranded.vcore).toBe(0); // y is small now
});

test("percentiles are of the nearest rank", () => {
  const tally = new Tally();
  expect([tally.percentile(50), tally.mean, tally.most]).toEqual([0, 0, 0]);
  for (let i = 100; i >= 1; i--) tally.add(i);
  expect([tally.percentile(50), tally.percentile(95), tally.percentile(99), tally.most, tally.mean]).toEqual([50, 95, 99, 100, 50.5]);
  expect(tally.distribution(4)).toEqual([[25, 0.25], [50, 0.5], [75, 0.75], [100, 1]]);
});

test("samples stay few, and keep their means", () => {
  const samples = new Samples();
  for (let i = 0; i < 10_000; i++) samples.add(i + 1, 1, [i % 2]);
  expect(samples.times.length).toBeLessThanOrEqual(513);
  expect(samples.times.at(-1)).toBe(10_000);
  const means = samples.values((sums, held) => (sums[0] ?? 0) / held);
  expect(means.slice(0, -1).every((mean) => mean === 0.5)).toBe(true); // the last one is under way
  expect(samples.values((_, held) => held).reduce((a, b) => a + b)).toBe(10_000);
});
