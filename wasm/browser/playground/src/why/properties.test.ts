import { describe, expect, it } from "vitest";

import { deciding, others, showing } from "./properties";

describe("what decides in a queue", () => {
  it("is said of a leaf", () => {
    const facts = deciding({ path: "root.a", leaf: true, appSort: "fair", properties: { "preemption.delay": "5s", "preemption.intra-queue": "enabled", "preemption.policy": "fence" } });
    expect(facts).toEqual([
      ["Order inside", "fair: the lowest usage first"],
      ["Priority inside", "comes first"],
      ["Priority shown", "unchanged"],
      ["Preemption", "fence: asks inside preempt nothing outside"],
      ["Its delay", "5s"],
      ["Within it", "higher priorities preempt lower ones"],
    ]);
  });

  it("leaves out of root what has no effect there", () => {
    expect(deciding({ path: "root", appSort: "fifo", properties: { "priority.offset": "5", "application.sort.priority": "disabled" } }))
      .toEqual([["Order inside", "fair: the lowest fair share first"], ["Priority inside", "does not count"]]);
  });

  it("names a policy of its own as what orders", () => {
    expect(deciding({ path: "root.a", leaf: true, appSort: "deadlines" })[0]).toEqual(["Order inside", "deadlines: a policy"]);
  });

  it("says what is made of priorities", () => {
    expect(showing()).toBe("unchanged");
    expect(showing({ "priority.offset": "-7" })).toBe("offset -7");
    expect(showing({ "priority.policy": "fence", "priority.offset": "10" })).toBe("fence: it shows its offset, 10, whatever is inside");
  });

  it("lists what is not said in words", () => {
    expect(others({ "priority.offset": "1", "queue.colour": "blue" })).toEqual([["queue.colour", "blue"]]);
  });
});
