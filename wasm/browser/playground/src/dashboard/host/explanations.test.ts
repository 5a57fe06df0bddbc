import { expect, test } from "vitest";
import { appExplanation, askExplanation, hostPlacement, preemptionExplanation, queueExplanation } from "./explanations";

const at = Date.parse("2026-01-02T03:04:05Z") * 1e6;

test("an ask that waits reads as the inspector's parts have it", () => {
  const e = askExplanation({
    at: "2026-01-02T03:05:05Z", ask: "k1", app: "a1", queue: "root.a", pending: true, since: "2026-01-02T03:04:05Z", priority: 3, place: 2, reasons: ["headroom", "user-max-applications"],
    lacks: [{ queue: "root.a", type: "vcore", missing: "1500m" }, { queue: "root.a", type: "memory", missing: 1024 }],
    limits: [{ reason: "user-max-applications", queue: "root.a", name: "ann", limit: 2, used: 2, missing: 1 }, { reason: "user-limit", queue: "root.a", name: "ann", type: "vcore", limit: "4", used: "3500m", missing: "1" }],
    nodes: [{ reason: "full", detail: "vcore", nodes: 7 }], never: [{ queue: "root", type: "vcore", needs: "9000m", most: "8000m" }, {}],
    member: { task_group: "w", placeholder: false, gave_up: true }, atomic: { id: "g", pending: 3, min: 4, ends_at: "2026-01-02T03:04:05Z", lacks: [], limits: [], nodes: [] }, text: "…",
  });
  expect(e).toMatchObject({
    id: "k1", since: at, lacks: [{ missing: 1500 }, { missing: 1024 }], nodes: [{ reason: "full", nodes: 7 }], never: [{ needs: 9000, most: 8000 }, {}],
    limits: [{ type: "", limit: 2, used: 2, missing: 1 }, { type: "vcore", limit: 4000, used: 3500, missing: 1000 }], member: { group: "w", gaveUp: true }, atomic: { id: "g", min: 4, ends: at },
  });
});

test("what an ask that waits says of nodes and of itself has the names of the inspector's parts", () => {
  const e = askExplanation({
    ask: "k1", pending: true, submitted: "2026-01-02T03:04:05Z", resources: { vcore: "2" }, originator: true, preempt_others: true, preemptable: false,
    required_node: "n9", required_node_missing: true, node_policy: "fair", lacks: [{ queue: "root.a", type: "vcore", missing: "1", used: "3", max: "4" }],
    candidates: [{ node: "n1", fits: true, score: -0.5 }, { node: "n2", fits: false, reason: "full", detail: "vcore", score: null }],
    holders: [{ node: "n1", ask: "k", app: "a", queue: "root.b", kept: false, until: "2026-01-02T03:04:05Z" }],
    attributes: [{ attribute: "zone", wanted: ["b"], nodes: 3, present: [{ value: "a", nodes: 2 }], without: 1 }],
  });
  expect(e).toMatchObject({
    submitted: at, resources: { vcore: 2000 }, originator: true, preempts: true, preemptable: false, required: "n9", noSuchNode: true, nodePolicy: "fair",
    lacks: [{ missing: 1000, used: 3000, max: 4000 }], candidates: [{ node: "n1", fits: true, score: -0.5 }, { node: "n2", reason: "full", unscored: true }],
    holders: [{ node: "n1", ask: "k", until: at }], mismatches: [{ attribute: "zone", wanted: ["b"], present: [{ value: "a", nodes: 2 }], without: 1 }],
  });
});

test("what was preempted says what for", () => {
  const e = askExplanation({
    ask: "v", gone: true,
    victim: { id: "v", app: "b", queue: "root.b", kind: "guarantee", opted_out: true, common: "root", for_seen: 5, over: [{ law: "law-5", queue: "root.b", type: "vcore", used: "2", guaranteed: "1", holds: true }],
      for: "k", for_app: "a", for_queue: "root.a", node: "n", at: "2026-01-02T03:04:05Z", gone: true, entitled: [], with: ["w"] },
  });
  expect(e.victim).toMatchObject({ for: "k", forApp: "a", forQueue: "root.a", at, with: ["w"], victim: { id: "v", optedOut: true, forSeen: 5, over: [{ used: 2000, guaranteed: 1000 }] } });
});

test("applications, queues and dry runs, too", () => {
  expect(appExplanation({ app: "a1", priority: null, since: "2026-01-02T03:04:05Z", gang: { declared: { vcore: "2" }, ends_at: "2026-01-02T03:04:05Z" } })).toMatchObject({ id: "a1", hasPriority: false, since: at, gang: { declared: { vcore: 2000 }, timed: true, endsAt: at } });
  const q = queueExplanation({ queue: "root.a", state: "active", leaf: true, used: { vcore: "1" }, max: { vcore: "4" }, priority: 2, pending_asks: 3, fair_share_billionths: 5e8, application_sort: "fair", settings: { "preemption.delay": { value: "5s", from: "root", template: true } }, fence: "root.a", reasons: ["headroom"], lacks: [], quota: { excess: { vcore: "1" }, due: "2026-01-02T03:04:05Z" }, template: "root" });
  expect(q).toMatchObject({ template: "root", settings: [{ name: "preemption.delay", value: "5s", from: "root", template: true }], fence: "root.a", reasons: ["headroom"], quota: { excess: { vcore: 1000 }, due: at }, queueState: { path: "root.a", used: { vcore: 1000 }, max: { vcore: 4000 }, hasPriority: true, priority: 2, pendingAsks: 3, fairShare: 5e8, appSort: "fair" } });
  expect(preemptionExplanation({ ask: "k", verdict: "no-victims", due: "2026-01-02T03:04:05Z", next: null, in_the_way: [{ id: "x", reason: "priority" }], short: [{ queue: "root", type: "vcore", missing: "1" }], victims: [] })).toMatchObject({ id: "k", due: at, inWay: [{ id: "x" }], short: [{ missing: 1000 }] });
});

test("how an allocation came about, as the inspector's parts have it", () => {
  expect(hostPlacement({ ask: "k" })).toBeUndefined();
  expect(hostPlacement({ ask: "k", placement: {
    submitted: "2026-01-02T03:04:05Z", allocated: "2026-01-02T03:04:06Z", waited_seconds: 1, waits: [{ from: "2026-01-02T03:04:05Z", reasons: ["headroom"] }], node: "n1",
    fits: 2, nodes: [{ reason: "draining", nodes: 1 }], node_policy: "fair", reserved: false, kept: false, candidates: [{ node: "n1", fits: true, score: -0.5 }, { node: "n2", fits: true, score: null }],
  } })).toMatchObject({
    submitted: at, allocated: at + 1e9, node: "n1", waits: [{ from: at, reasons: ["headroom"] }],
    before: { fits: 2, nodePolicy: "fair", nodes: [{ reason: "draining", nodes: 1 }], candidates: [{ node: "n1", fits: true, score: -0.5 }, { node: "n2", unscored: true }] },
  });
});

test("planned starts, too", () => {
  const e = askExplanation({
    ask: "k", pending: true, unplanned: "unplanned", planned_start: { start: "2026-01-02T03:04:05Z", node: "n1", reason: "planned", after: [{ ask: "run", app: "a", ends: "2026-01-02T03:04:05Z" }] },
    planned_room: { queue: "root.a", from: "2026-01-02T03:04:05Z" }, shorter: { walltime: "1m0s", node: "n1" }, holders: [{ node: "n1", ask: "k", app: "a", queue: "root.b", kept: false, from: "2026-01-02T03:04:05Z" }],
  });
  expect(e).toMatchObject({
    unplanned: "unplanned", planned: { start: at, node: "n1", reason: "planned", after: [{ ask: "run", app: "a", ends: at }] }, plannedRoom: { queue: "root.a", from: at },
    shorter: { walltime: 60e9, node: "n1" }, holders: [{ node: "n1", ask: "k", from: at }],
  });
});
