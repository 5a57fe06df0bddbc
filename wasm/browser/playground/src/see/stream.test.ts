import { describe, expect, test } from "vitest";
import { createModel } from "../model/cluster";
import type { Decision } from "../engine/types";
import { clockTimeOf, dateAndTimeOf, goesOn, inSight, leadsUp, listed, ofKinds, placeOf, spoken, tally, timeOf } from "./stream-list";
import { words } from "./words";

const model = createModel();
const decisions: Decision[] = [
  { seq: 1, at: "0s", type: "app.accepted", id: "web", queue: "root.prod" },
  { seq: 2, at: "1s", type: "allocation", id: "web-1", app: "web", queue: "root.prod", node: "n1" },
  { seq: 3, at: "1s", type: "allocation", id: "train-1", app: "train", queue: "root.research.text", node: "n1" },
  { seq: 4, at: "2s", type: "preemption", id: "train-1", for: "web-2", node: "n1", queue: "root.research.text" },
  { seq: 5, at: "3s", type: "release", id: "train-1", reason: "preempted" },
  { seq: 6, at: "4s", type: "reservation", id: "web-3", node: "n2" },
];
const seqs = (kinds: Parameters<typeof ofKinds>[1], only?: Parameters<typeof listed>[2]) => ofKinds(listed([], decisions, only, model), kinds).map((d) => d.seq);

describe("the filter", () => {
  test("lets all pass when nothing is chosen", () => expect(ofKinds(listed([], decisions, undefined, model), new Set())).toBe(decisions));
  test("says how many there are of each kind", () => expect([...tally(decisions)]).toEqual([["change", 1], ["placed", 2], ["preempted", 1], ["ended", 1], ["reserved", 1]]));
  test("by kind", () => expect(seqs(new Set(["placed", "reserved"]))).toEqual([2, 3, 6]));
  test("by application, with what its asks went through", () => expect(seqs(new Set(), { kind: "app", id: "train" })).toEqual([3, 4, 5]));
  test("by queue, with those below it", () => expect(seqs(new Set(), { kind: "queue", id: "root.research" })).toEqual([3, 4, 5]));
  test("by node", () => expect(seqs(new Set(), { kind: "node", id: "n1" })).toEqual([2, 3, 4]));
  test("by ask, also where it is the one that others leave for", () => expect(seqs(new Set(), { kind: "ask", id: "web-2" })).toEqual([4]));
  test("by decision", () => {
    for (const decision of decisions.slice(4, 5)) expect(seqs(new Set(), { kind: "decision", id: "5", decision })).toEqual([3, 4, 5]);
  });
  test("by queue, in its partition alone", () => {
    const both = createModel();
    both.reset({ now: 0, total: {}, nodeSort: "", nodes: [{ id: "g1", partition: "gpu" }, { id: "n1" }], applications: [{ id: "train", partition: "gpu", queue: "root.a" }, { id: "web", queue: "root.a" }] });
    const made: Decision[] = [
      { seq: 1, at: "0s", type: "app.accepted", id: "gone", queue: "root.a", partition: "gpu" },
      { seq: 2, at: "1s", type: "allocation", id: "web-1", app: "web", queue: "root.a", node: "n1" },
      { seq: 3, at: "1s", type: "allocation", id: "train-1", app: "train", queue: "root.a", node: "g1" },
      { seq: 4, at: "2s", type: "allocation", id: "gone-1", app: "gone", queue: "root.a", node: "g2" },
      { seq: 5, at: "2s", type: "release", id: "gone-1", reason: "finished" },
      { seq: 6, at: "3s", type: "app.moved", id: "train", from: "root.a", to: "root.b" },
      { seq: 7, at: "3s", type: "queue.state", queue: "root.a", from: "active", to: "draining", reason: "removed" },
    ];
    const about = (id: string) => listed([], made, { kind: "queue", id }, both).map((d) => d.seq);
    expect(about("root.a")).toEqual([2, 7]);
    expect(about("[gpu]root.a")).toEqual([1, 3, 4, 5]);
    expect(about("[gpu]root")).toEqual([1, 3, 4, 5, 6]);
    expect(about("root")).toEqual([2, 7]);
  });
  test("by both", () => expect(seqs(new Set(["ended"]), { kind: "app", id: "train" })).toEqual([5]));
});

test("earlier decisions end where the recent ones begin", () => {
  const earlier = decisions.slice(0, 3);
  expect(leadsUp(earlier, decisions.slice(3))).toBe(true);
  expect(leadsUp(earlier, decisions.slice(4))).toBe(false);
  expect(listed(earlier, decisions.slice(2), undefined, model).map((d) => d.seq)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("decisions go on where others were, unless some were taken back or are missing", () => {
  expect(goesOn([], decisions)).toBe(true);
  expect(goesOn(decisions.slice(0, 3), decisions)).toBe(true);
  expect(goesOn(decisions.slice(0, 3), decisions.slice(2))).toBe(true);
  expect(goesOn(decisions, decisions.slice(0, 5))).toBe(false);
  expect(goesOn(decisions, [])).toBe(false);
  expect(goesOn(decisions.slice(0, 2), decisions.slice(3))).toBe(false);
});

test("a decision is found where it stands, or would", () => {
  const [, second] = decisions;
  expect(placeOf(second, decisions, 7)).toBe(1);
  expect(placeOf(second, decisions.slice(2), 7)).toBe(0);
  expect(placeOf(second, decisions.slice(0, 1), 7)).toBe(1);
  expect(placeOf(undefined, decisions, 7)).toBe(7);
});

test("only rows in sight are there", () => {
  expect(inSight(2000, 28_000, 280, 28)).toEqual({ from: 994, to: 1016 });
  expect(inSight(3, 0, 280, 28)).toEqual({ from: 0, to: 3 });
  expect(inSight(0, 500, 280, 28)).toEqual({ from: 0, to: 0 });
});

test("times", () => {
  expect(timeOf("2026-03-01T10:00:07.25Z")).toBe("10:00:07");
  expect(timeOf("1m30.123456789s")).toBe("1m30.123s");
  expect(timeOf("9.999999997s")).toBe("10s");
  expect(timeOf("1h0m0s")).toBe("1h");
  expect(["7.25s", "1m30.123456789s", "2h5m9.999999997s"].map(clockTimeOf)).toEqual(["0:07.250", "1:30.123", "2:05:10.000"]);
  expect(clockTimeOf("2026-03-01T10:00:07.25Z")).toBe("10:00:07");
  expect(dateAndTimeOf("9.999999997s")).toBe("10s");
  expect(dateAndTimeOf("2026-03-01T10:00:07.250000003Z")).toBe("2026-03-01 10:00:07.25 UTC");
  expect(dateAndTimeOf("2026-03-01T10:00:07+01:00")).toBe("2026-03-01 10:00:07 +01:00");
});

test("what is read out: few in words, many as a count", () => {
  expect(spoken(decisions.slice(1, 3), words)).toBe("web-1 placed on n1. train-1 placed on n1.");
  expect(spoken(decisions, words)).toBe("6 decisions: 2 placed, 1 ended, 1 about preemption.");
});
