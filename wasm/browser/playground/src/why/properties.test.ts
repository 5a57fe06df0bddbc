import { describe, expect, it } from "vitest";

import type { Setting } from "../engine/types";
import { deciding, fenced, showing, sources } from "./properties";

const said = (settings: readonly Setting[]) => deciding(settings).map(({ name, value }) => [name, value]);

describe("what decides in a queue", () => {
  it("is said of a leaf, with the values in force", () => {
    expect(said([
      { name: "application.sort.policy", value: "fair" }, { name: "application.sort.priority", value: "enabled" }, { name: "ask.sort.policy", value: "fifo" },
      { name: "preemption.delay", value: "5s", from: "root" }, { name: "preemption.intra-queue", value: "enabled", from: "root.a" }, { name: "preemption.policy", value: "fence", from: "root.a" },
      { name: "priority.offset", value: "0" }, { name: "priority.policy", value: "default" }, { name: "quota.preemption.delay", value: "0s" },
    ])).toEqual([
      ["Order inside", "fair: the lowest usage first"],
      ["Order of asks", "fifo: the first submitted first"],
      ["Priority inside", "comes first"],
      ["Priority shown", "unchanged"],
      ["Preemption", "fence: asks inside preempt nothing outside"],
      ["Its delay", "5s"],
      ["Within it", "higher priorities preempt lower ones"],
      ["Above its max", "releases nothing"],
    ]);
  });

  it("is said of root, in which others have no effect", () => {
    expect(said([{ name: "application.sort.priority", value: "disabled" }, { name: "preemption.patience", value: "1m0s" }, { name: "queue.sort.policy", value: "fair" }, { name: "reservation.delay", value: "1m0s" }]))
      .toEqual([["Order inside", "fair: the lowest fair share first"], ["Priority inside", "does not count"], ["Slow victims", "after 1m, the ask may land on another node"], ["Reservations", "of nodes, after a wait of 1m"]]);
  });

  it("names a policy of its own as what orders, and lists the settings of policies", () => {
    expect(said([{ name: "application.sort.policy", value: "deadlines" }, { name: "queue.colour", value: "blue", from: "root" }])).toEqual([["Order inside", "deadlines: a policy"], ["queue.colour", "blue"]]);
  });

  it("comes from queues, templates and defaults", () => {
    const policy = { name: "priority.policy", value: "fence", from: "root.a" };
    expect(sources([policy, { name: "priority.offset", value: "0" }])).toEqual([policy]);
    expect(sources([policy, { name: "priority.offset", value: "3", from: "root.a" }])).toEqual([policy]);
    expect(sources([policy, { name: "priority.offset", value: "3", from: "root.a", template: true }])).toHaveLength(2);
    expect(sources([{ name: "preemption.delay", value: "30s" }])).toEqual([]);
  });

  it("says what is made of priorities", () => {
    expect(showing()).toBe("unchanged");
    expect(showing({ "priority.offset": "-7" })).toBe("offset -7");
    expect(showing({ "priority.policy": "fence", "priority.offset": "10" })).toBe("fence: it shows its offset, 10, whatever is inside");
  });

  it("says where the nearest preemption fence is", () => {
    expect(fenced({ path: "root.a" }, undefined)).toBe("");
    expect(fenced({ path: "root.a" }, "root.a")).toBe("this queue is one: its asks preempt only inside it");
    expect(fenced({ path: "root.a.b" }, "root.a")).toBe("its asks preempt only inside");
  });
});
