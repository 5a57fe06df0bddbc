import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Decision, QueueDump } from "../engine/types";
import { readEarlier, samplesOf } from "./earlier";
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

const root = (path: string, used: number, max: number, allocations = 0): QueueDump => ({ path, used: { vcore: used }, max: { vcore: max }, pendingAsks: 2, allocations });

test("samples are of all partitions, and bounded", () => {
  const samples = new Samples();
  samples.add({ at: 1, roots: [root("root", 1, 4, 1), root("[gpu]root", 3, 4, 2)], seq: 7 });
  samples.add({ at: 3, roots: [root("root", 1, 4)], seq: 11 });
  samples.add({ at: 3, roots: [root("root", 1, 4)], seq: 12 }); // the clock stands still
  expect(samples.charts.map(({ title, lines }) => [title, lines[0]?.values])).toEqual([
    ["In use", [0.5, 0.25]], ["Pending asks", [4, 2]], ["Allocations", [3, 0]], ["Decisions a second", [2, 2]],
  ]);
  for (let i = 4; i < 5000; i++) samples.add({ at: i, roots: [root("root", 1, 4)], seq: 12 });
  expect(samples.time.length).toBeLessThanOrEqual(1200);
  expect([samples.time[0], samples.time.at(-1)]).toEqual([1, 4999]);
  samples.clear();
  for (let i = 0; i < 100; i++) samples.add({ at: i, roots: [root("root", 1, 4)], seq: i > 50 ? 1000 + i : i });
  expect(samples.charts[3]).toMatchObject({ title: "Decisions a second", top: 1.5 }); // a thousand in one second are cut off
  samples.clear();
  expect([samples.time, samples.first]).toEqual([[], undefined]);
});

test("the time before the first sample is told by decisions: allocations are counted back, the rest is unknown", () => {
  const at = (seconds: number, type: string) => ({ at: new Date(seconds * 1000).toISOString(), type });
  const samples = new Samples();
  samples.add({ at: 110, roots: [root("root", 1, 4, 5)], seq: 4 });
  const first = samples.first;
  if (!first) throw new Error("there is no first sample");
  samples.begin(samplesOf([at(100, "allocation"), at(100.5, "allocation"), at(104, "release"), at(109, "app.state")], first));
  expect(samples.time).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110]);
  const [used, , allocations, decisions] = samples.charts.map(({ lines }) => lines[0]?.values);
  expect(allocations).toEqual([4, 6, 6, 6, 6, 5, 5, 5, 5, 5, 5]);
  expect(decisions).toEqual([2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  expect(used?.slice(-2)).toEqual([null, 0.25]);
  expect(samples.charts[3]?.top).toBeUndefined();
  const many = Array.from({ length: 5000 }, (_, i) => at(i * 10, "ignored"));
  expect(samplesOf(many, { ...first, at: 50_000 }).length).toBeLessThanOrEqual(300);
});

test("decisions are read back page by page, as far as the host keeps them", async () => {
  const asked: string[] = [];
  const kept = (first: number) => {
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      const query = new URLSearchParams(path.split("?")[1]);
      const from = Number(query.get("from"));
      if (from < first) return Promise.resolve(Response.json({ title: "compacted", first }, { status: 410 }));
      return Promise.resolve(new Response(Array.from({ length: Number(query.get("limit")) }, (_, i) => `{"seq":${from + i},"at":"","type":"x"}\n`).join("")));
    });
  };
  try {
    kept(1);
    expect((await readEarlier(2500)).map((d) => (d as { seq?: number }).seq)).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1));
    expect(asked).toHaveLength(3);
    expect(await readEarlier(100_000)).toHaveLength(5000);
    kept(700);
    expect(await readEarlier(1500)).toHaveLength(801);
    kept(2000);
    expect(await readEarlier(1500)).toEqual([]);
  } finally {
    vi.unstubAllGlobals();
  }
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
  expect(passing(list, " n1 ").map(({ seq }) => seq)).toEqual([1]);
  expect(passing(list, "")).toBe(list);
  expect(queuesWith([{ path: "root" }, { path: "root.a" }, { path: "root.a.x" }, { path: "root.b" }], "X").map(({ path }) => path)).toEqual(["root", "root.a", "root.a.x"]);
});
