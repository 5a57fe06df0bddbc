import { expect, test } from "vitest";
import { toCsv, toJson } from "./export";
import { figuresOf, type Figures } from "./metrics";
import { answer } from "./metrics.fixture";
import { differencesText, judgement, judgementWords, rangeText, rowsOf, valueText } from "./rows";
import type { Outcome } from "./run";

const plain = figuresOf(answer, new Map());
const a: Figures = { ...plain, allocated: 1320, waits: { ...plain.waits, mean: 90 }, used: { vcore: 0.5 }, stranded: { vcore: 0.1 }, fairness: 0.71449 };
const b: Figures = { ...plain, allocated: 1332, waits: { ...plain.waits, mean: 60 }, used: { vcore: 0.625 }, stranded: { vcore: 0.1 }, fairness: 0.71452 };

test("figures are told with their difference, and which side is better where that can be said", () => {
  const told = Object.fromEntries(rowsOf([{ a, b }]).map((row) => [row.label, [valueText(row, row.a[0] ?? 0), valueText(row, row.b[0] ?? 0), differencesText(row).middle, judgement(row)]]));
  expect(told).toMatchObject({
    "Allocated": ["1,320", "1,332", "+12", "better"],
    "Wait, mean": ["1m30s", "1m", "−30s", "better"],
    "Used, vcore": ["50.0%", "62.5%", "+12.5 points", undefined],
    "Stranded, vcore": ["10.0%", "10.0%", "=", undefined],
    "Fairness": ["0.714", "0.715", "+0.001", "better"],
  });
  expect(told["Policy faults"]).toBeUndefined();
});

test("rejections are told by reason, also where they are of one side alone", () => {
  const one = { type: "ask.rejected", reason: "duplicate", count: 3, example: "k" };
  const rows = rowsOf([{ a: { ...a, rejections: [one] }, b: { ...b, rejections: [{ ...one, count: 1 }, { type: "app.rejected", reason: "unknown-queue", count: 2, example: "x" }] } }]);
  expect(rows.filter(({ label }) => label.includes("rejected")).map((row) => [row.label, row.meaning, row.a[0], row.b[0], judgement(row)])).toEqual([
    ["Applications rejected: unknown-queue", "no queue has this name", 0, 2, "worse"],
    ["Asks rejected: duplicate", "the ID is taken", 3, 1, "better"],
  ]);
  expect(rowsOf([{ a, b }]).some(({ label }) => label.includes("rejected"))).toBe(false);
});

test("with seeds, figures have a range, and only differences that hold are judged", () => {
  const pairs = [0, 1, 2, 3, 4].map((seed) => ({
    a: { ...a, allocated: 100 + seed, used: { vcore: 0.5 } },
    b: { ...b, allocated: 110 + 2 * seed, waits: { ...b.waits, mean: seed === 3 ? 95 : 60 + seed }, used: { vcore: 0.6 } },
  }));
  const told = Object.fromEntries(rowsOf(pairs).map((row) => {
    const judged = judgement(row);
    return [row.label, [rangeText(row, row.b), differencesText(row), judged && judgementWords[judged]]];
  }));
  expect(told).toMatchObject({
    "Allocated": ["110 to 118", { middle: "+12", range: "+10 to +14" }, "better"],
    "Wait, mean": ["1m to 1m35s", { middle: "−28s", range: "−30s to +5s" }, "within the noise"],
    "Used, vcore": ["", { middle: "+10.0 points", range: "" }, "holds"],
    "Preempted": ["", { middle: "=", range: "" }, undefined],
  });
  const few = rowsOf(pairs.slice(0, 3)).find(({ label }) => label === "Allocated");
  expect(few && judgement(few)).toBe("few");
});

test("the outcome goes into files", () => {
  const run = (figures: Figures) => ({ figures, scenario: { title: "w", journal: "" } });
  const outcome: Outcome = { a: run(a), b: run(b), pairs: [{ a, b }], parting: undefined, same: 7, differ: { both: 1, moved: 0, earlier: 0, later: 0, onlyA: 0, onlyB: 0 } };
  const names = { workload: "w", generated: false, a: "unchanged", b: 'a "fair", b' };
  const csv = toCsv(outcome, names).split("\r\n");
  expect(csv.slice(0, 2)).toEqual(['figure,unit,A: unchanged,"B: a ""fair"", b",B - A,least,most,runs,judgement', "Allocated,count,1320,1332,12,12,12,1,better"]);
  const json = JSON.parse(toJson(outcome, names)) as { a: { setup: string; placed?: unknown }; parting: unknown; same_decisions: number };
  expect(json).toMatchObject({ runs: [{ b: { allocated: 1332 } }], verdict: "Compared with A, B waits 33% less on average, allocates 1% more asks and uses 25% more vcore.", a: { setup: "unchanged", allocated: 1320 }, parting: null, same_decisions: 7 });
  expect(json.a.placed).toBeUndefined();
});

test("jobs are told once one has ended", () => {
  const spread = (mean: number) => ({ mean, p95: 2 * mean, max: 3 * mean });
  const jobs = (ended: number, mean: number) => ({ ended, wait: spread(mean), turnaround: spread(2 * mean), slowdown: spread(mean / 10) });
  const rows = rowsOf([{ a: { ...a, jobs: jobs(3, 60) }, b: { ...b, jobs: jobs(4, 30) } }]);
  const told = Object.fromEntries(rows.map((row) => [row.label, [valueText(row, row.a[0] ?? 0), valueText(row, row.b[0] ?? 0), differencesText(row).middle, judgement(row)]]));
  expect(told).toMatchObject({
    "Jobs ended": ["3", "4", "+1", "better"], "Job wait, mean": ["1m", "30s", "−30s", "better"], "Turnaround, 95 of 100": ["4m", "2m", "−2m", "better"], "Slowdown, mean": ["6.00", "3.00", "−3.00", "better"],
  });
  expect(rowsOf([{ a, b }]).some(({ label }) => label.startsWith("Job"))).toBe(false);
});
