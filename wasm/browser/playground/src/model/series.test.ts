import { describe, expect, it } from "vitest";

import { createModel, type Cluster } from "./cluster";
import { Series } from "./series";

function cluster(): Cluster {
  const model = createModel();
  model.apply({ type: "node.add", at: "0s", id: "n", capacity: { vcore: 4 } });
  model.apply({ seq: 1, type: "app.accepted", at: "0s", id: "a", queue: "root.a" });
  for (const id of ["x", "y"]) model.apply({ type: "ask.add", at: "0s", id, app: "a", resources: { vcore: 1 } });
  return model;
}

const place = { type: "allocation", app: "a", node: "n" };

describe("the series", () => {
  it("says what is used and waited for", () => {
    const model = cluster();
    const series = new Series();
    series.sample(model, 1e9);
    model.apply({ seq: 2, at: "3s", id: "x", ...place });
    series.sample(model, 3e9);
    expect(series.time).toEqual([1, 3]);
    expect(series.pending).toEqual([2, 1]);
    expect(series.oldest).toEqual([1, 3]);
    expect(series.used.get("vcore")).toEqual([0, 0.25]);
    expect(series.waited).toEqual([NaN, 3]);
  });

  it("has one sample of an instant, with all that was waited in it", () => {
    const model = cluster();
    const series = new Series();
    for (const id of ["x", "y"]) {
      model.apply({ seq: 2, at: id === "x" ? "2s" : "4s", id, ...place });
      series.sample(model, 4e9);
    }
    expect(series.time).toEqual([4]);
    expect(series.waited).toEqual([3]);
  });

  it("adds nothing while a known stretch is played again, and forgets what is cut", () => {
    const model = cluster();
    const series = new Series();
    for (let t = 0; t <= 10; t++) series.sample(model, t * 1e9);
    series.travelled();
    for (let t = 5; t <= 10; t++) series.sample(model, t * 1e9);
    expect(series.time.length).toBe(11);
    series.sample(model, 11e9);
    expect(series.until).toBe(11);
    series.cut(4.5e9);
    expect(series.until).toBe(4);
    series.sample(model, 4.7e9);
    expect(series.time).toEqual([0, 1, 2, 3, 4, 4.7]);
  });

  it("stays bounded however long it runs, and knows the present and the whole span", () => {
    const model = cluster();
    const series = new Series();
    for (let t = 0; t < 1_000_000; t++) series.sample(model, t * 1e8);
    expect(series.time.length).toBeLessThanOrEqual(4001);
    expect(series.time.length).toBeGreaterThan(1000);
    expect(series.until).toBeCloseTo(99_999.9);
    expect(series.time[0]).toBe(0);
    expect([series.pending, series.oldest, series.waited, series.used.get("vcore")].map((list) => list?.length)).toEqual(new Array(4).fill(series.time.length));
    expect(series.time.every((at, i) => i === 0 || at > (series.time[i - 1] ?? 0))).toBe(true);
  });
});
