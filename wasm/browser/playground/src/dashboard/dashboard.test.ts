import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Decision, QueueDump } from "../engine/types";
import { passing, queuesWith } from "./passing";
import { Rates } from "./rates";
import { apart, Refresher } from "./refresher";
import { addressOf, placeOf } from "./route";
import { Samples } from "./samples";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

test("an address names a view, what is picked in it, and filters", () => {
  const address = addressOf("asks", "a/b c", { state: "all", queue: "root.a" });
  expect(placeOf(address)).toEqual({ view: "asks", name: "a/b c", filters: { state: "all", queue: "root.a" } });
  expect(placeOf("#/nodes")).toEqual({ view: "nodes", name: "", filters: {} });
  expect(placeOf("#/nowhere")).toMatchObject({ view: "overview" });
  expect(placeOf("#/asks/100%")).toMatchObject({ name: "100%" });
});

test("rates are means over the last ten seconds", () => {
  const rates = new Rates<string>();
  for (let i = 0; i < 50; i++) rates.count("placed", 1000);
  rates.count("ended", 2000);
  expect(rates.all(1500)).toBe(0); // the second is not over
  expect([rates.of("placed", 3000), rates.all(3000)]).toEqual([5, 5.1]);
  expect(rates.all(30_000)).toBe(0);
});

test("samples are of all partitions, and bounded", () => {
  const samples = new Samples();
  const root = (path: string, used: number, max: number): QueueDump => ({ path, used: { vcore: used }, max: { vcore: max }, pendingAsks: 2 });
  samples.add(1, [root("root", 1, 4), root("[gpu]root", 3, 4)], 7);
  expect(samples.charts.map(({ lines }) => lines[0]?.values)).toEqual([[0.5], [4], [7]]);
  for (let i = 2; i < 5000; i++) samples.add(i, [root("root", 1, 4)], 0);
  expect(samples.time.length).toBeLessThanOrEqual(1200);
  expect([samples.time[0], samples.time.at(-1)]).toEqual([1, 4999]);
});

test("a question is put again when something changed, but not more often than its answers take", async () => {
  const answers: number[] = [];
  let asked = 0;
  const refresher = new Refresher({
    ask: () => new Promise<number>((resolve) => { setTimeout(() => { resolve(++asked); }, 500); }),
    hear: (answer) => { answers.push(answer); }, fail: () => undefined,
  });
  refresher.now();
  await vi.advanceTimersByTimeAsync(500);
  expect(answers).toEqual([1]);
  for (let i = 0; i < 20; i++) {
    refresher.changed();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(answers).toEqual([1]); // four times what an answer takes have yet to pass
  await vi.advanceTimersByTimeAsync(apart);
  expect(answers).toEqual([1, 2]);
  refresher.stop();
  refresher.now();
  await vi.advanceTimersByTimeAsync(5000);
  expect(answers).toEqual([1, 2]);
});

test("decisions and queues pass filters by what they name", () => {
  const list: Decision[] = [{ seq: 1, at: "", type: "allocation", id: "k1", node: "N1" }, { seq: 2, at: "", type: "ignored", id: "k2" }];
  expect(passing(list, new Set(), " n1 ").map(({ seq }) => seq)).toEqual([1]);
  expect(passing(list, new Set(["refused"]), "").map(({ seq }) => seq)).toEqual([2]);
  expect(queuesWith([{ path: "root" }, { path: "root.a" }, { path: "root.a.x" }, { path: "root.b" }], "X").map(({ path }) => path)).toEqual(["root", "root.a", "root.a.x"]);
});
