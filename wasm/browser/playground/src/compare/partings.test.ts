import { describe, expect, test } from "vitest";
import type { Decision } from "../engine/types";
import { Comparison, differ } from "./partings";

const decision = (seq: number, node = "n1"): Decision => ({ seq, at: `${seq}s`, type: "allocation", id: `x${seq}`, node });

describe("two runs", () => {
  test("part at the first decision that differs, whatever comes in which order", () => {
    const c = new Comparison();
    for (let i = 1; i <= 7; i++) c.add("a", decision(i));
    c.settle();
    for (let i = 1; i <= 4; i++) c.add("b", decision(i));
    c.settle();
    expect(c.parting).toBeUndefined();
    c.add("b", decision(5));
    c.add("b", decision(6, "n2"));
    c.add("b", decision(7));
    c.settle();
    expect(c.same).toBe(5);
    expect(c.parting?.common.map((d) => d.seq)).toEqual([3, 4, 5]);
    expect([c.parting?.a?.node, c.parting?.b?.node]).toEqual(["n1", "n2"]);
    c.add("a", decision(8));
    c.finish();
    expect(c.same).toBe(5);
  });

  test("do not part where they are the same, but for warnings about the text of a configuration", () => {
    const c = new Comparison();
    c.add("a", { seq: 1, at: "0s", type: "config.accepted", warnings: ["odd"] });
    c.add("b", { seq: 1, at: "0s", type: "config.accepted" });
    c.add("a", decision(2));
    c.add("b", decision(2));
    c.finish();
    expect(c.parting).toBeUndefined();
    expect(c.same).toBe(2);
  });

  test("part where one comes to its end", () => {
    const c = new Comparison();
    c.add("a", decision(1));
    c.add("b", decision(1));
    c.add("b", decision(2));
    c.finish();
    expect(c.parting).toEqual({ common: [decision(1)], a: undefined, b: decision(2) });
  });

  test("differ in asks that went elsewhere, earlier, later or not at all", () => {
    const a = new Map([["same", { node: "n1", at: 0 }], ["moved", { node: "n1", at: 1 }], ["late", { node: "n2", at: 1 }], ["lost", { node: "n3", at: 0 }]]);
    const b = new Map([["same", { node: "n1", at: 0 }], ["moved", { node: "n2", at: 0 }], ["late", { node: "n2", at: 60 }], ["new", { node: "n9", at: 3600 }]]);
    expect(differ(a, b)).toEqual({ both: 3, moved: 1, earlier: 1, later: 1, onlyA: 1, onlyB: 1 });
  });
});
