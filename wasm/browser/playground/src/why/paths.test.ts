import { describe, expect, it } from "vitest";

import { branchesOf, leafName, lineage, roomAlong } from "./paths";

describe("paths", () => {
  it("lists a queue and all above it, root first", () => {
    expect(lineage("root.a.b")).toEqual(["root", "root.a", "root.a.b"]);
    expect(lineage("root")).toEqual(["root"]);
    expect(leafName("root.a.b")).toBe("b");
  });
});

describe("room along the way up", () => {
  const queues = [
    { path: "root", used: { vcore: 3000 }, max: { vcore: 24_000 } },
    { path: "root.a", used: { vcore: 3000 } },
    { path: "root.a.b", used: { vcore: 2500 }, max: { vcore: 4000 } },
    { path: "root.other", max: { vcore: 1 } },
  ];

  it("shows what is taken, the max and what is missing, queue by queue", () => {
    const [vcore] = roomAlong(queues, "root.a.b", { vcore: 2000 }, [{ queue: "root.a.b", type: "vcore", missing: 1000 }]);
    expect(vcore).toEqual({
      type: "vcore", wanted: 2000, rooms: [
        { queue: "root", taken: 3000, max: 24_000, missing: 0 },
        { queue: "root.a", taken: 3000, max: undefined, missing: 0 },
        // 500 more than is used are kept for an ask that waits for its victims: the scheduler's figure counts.
        { queue: "root.a.b", taken: 3000, max: 4000, missing: 1000 },
      ],
    });
  });

  it("knows a max of nothing from none", () => {
    const [gpu] = roomAlong([{ path: "root", max: { gpu: 0 } }], "root", { gpu: 1 }, [{ queue: "root", type: "gpu", missing: 1 }]);
    expect(gpu?.rooms).toEqual([{ queue: "root", taken: 0, max: 0, missing: 1 }]);
  });
});

describe("branches of a preemption", () => {
  it("go from below the queue where they meet to the leaves, with what the laws looked at", () => {
    const entitled = [{ law: "law-4", queue: "root.p.web", type: "vcore", used: 4, guaranteed: 8, holds: true }];
    const over = [{ law: "law-5", queue: "root.research", type: "vcore", used: 9, guaranteed: 9, holds: true }];
    expect(branchesOf({ victim: { id: "v", queue: "root.research.text", common: "root", over }, forQueue: "root.p.web", entitled })).toEqual({
      common: "root",
      ask: [{ queue: "root.p", findings: [] }, { queue: "root.p.web", findings: entitled }],
      victim: [{ queue: "root.research", findings: over }, { queue: "root.research.text", findings: [] }],
    });
  });

  it("are empty within one queue", () => {
    const { ask, victim } = branchesOf({ victim: { id: "v", queue: "root.a", common: "root.a" }, forQueue: "root.a" });
    expect([ask, victim]).toEqual([[], []]);
  });
});
