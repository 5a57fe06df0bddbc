import { expect, test } from "vitest";
import { figuresOf, Placements } from "./metrics";
import { answer } from "./metrics.fixture";

test("figures by the order of the scheduler's types become figures by name", () => {
  const f = figuresOf({ ...answer, types: ["vcore", "memory"], used: [0.5, 0.25], stranded: [0.125, 0], usedCurves: [[0.5, 1], [0, 0]], waitMean: 5, waitMax: 10, waitCurve: [[0, 0.5], [10, 1]] }, new Map());
  expect(f.used).toEqual({ vcore: 0.5, memory: 0.25 });
  expect(f.stranded).toEqual({ vcore: 0.125, memory: 0 });
  expect(f.curves.used).toEqual({ vcore: [0.5, 1], memory: [0, 0] });
  expect(f.curves.waits).toEqual([[0, 0.5], [10, 1]]);
  expect(f.waits).toMatchObject({ mean: 5, most: 10 });
  expect(f.refused).toBeUndefined();
  expect(figuresOf({ ...answer, refused: "it has errors" }, new Map()).refused).toBe("it has errors");
});

test("the first place of an ask counts", () => {
  const placements = new Placements();
  const decide = (type: string, id: string, node: string, seconds: number) => {
    placements.add({ seq: 1, at: "", type, id, node }, seconds * 1e9);
  };
  decide("allocation", "x", "n1", 0);
  decide("release", "x", "", 10);
  decide("allocation", "x", "n2", 20);
  decide("allocation", "y", "n1", 10);
  expect([...placements.byAsk]).toEqual([["x", { node: "n1", at: 0 }], ["y", { node: "n1", at: 10 }]]);
});
