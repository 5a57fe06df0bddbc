/** Answers of the scheduler for tests, as it gave them for docs/examples/waiting.jsonl and docs/examples/preempt.jsonl. */

import type { AppExplanation, AskExplanation, Decision, PreemptionExplanation, QueueDump, QueueExplanation, Victim } from "../engine/types";
import type { AppModel, AskModel, Model, NodeModel } from "../model/model";
import type { Placed } from "../state/placed";

export const more: AskExplanation = {
  id: "more", app: "train", queue: "root.research.vision", pending: true, since: 11e9, place: 3, reasons: ["headroom"], fits: 2,
  seen: [{ queue: "root.research.vision" }, { queue: "root.research" }], lacks: [{ queue: "root.research.vision", type: "vcore", missing: 1000 }],
  nodes: [{ reason: "draining", nodes: 1 }], verdict: "It may not preempt: …", text: "Ask more of application train waits in root.research.vision …",
};

export const runs: AskExplanation = { id: "train-1", app: "train", queue: "root.research.vision", node: "n1", since: 5e9, text: "Ask train-1 …" };

/** Why train-1 runs on n1. */
export const here: Placed = {
  ask: "train-1", node: "n1", seq: 9, at: 5e9, submitted: 1e9,
  before: {
    id: "train-1", pending: true, fits: 2, nodePolicy: "binpacking", nodes: [{ reason: "constraint", detail: "gpu", nodes: 12 }],
    candidates: [{ node: "n3", reason: "full", detail: "vcore", score: 0.9 }, { node: "n1", fits: true, score: 0.625 }, { node: "n2", fits: true, score: 0.1 }],
  },
};

export const refused: PreemptionExplanation = {
  id: "more", app: "train", queue: "root.research.vision", verdict: "not-entitled", due: 41e9,
  laws: [
    { law: "law-4", queue: "root.research.vision", type: "vcore", used: 3000, guaranteed: 2000 },
    { law: "max", queue: "root.research.vision", type: "vcore", used: 3000, guaranteed: 4000 },
  ],
  barred: [
    { queue: "root.research.vision", reason: "same-application", allocations: 2 },
    { queue: "root.research.vision", reason: "same-queue", allocations: 2 },
  ],
};

const young1: Victim = { id: "young-1", app: "batch", queue: "root.research.text", priority: 1, kind: "guarantee", common: "root", seen: 1, forSeen: 5 };
const entitled = { law: "law-4", queue: "root.prod", type: "vcore", used: 4000, guaranteed: 8000, holds: true };

export const chosen: PreemptionExplanation = {
  id: "web-2", app: "web", queue: "root.prod", verdict: "preempts", kind: "guarantee", due: 90e9, node: "n8", laws: [entitled],
  victims: [young1, { id: "young-0", app: "batch", queue: "root.research.text", kind: "guarantee", common: "root", forSeen: 5 }],
  next: { node: "n7", victims: ["old-1", "old-0"], worse: "older" },
};

export const gone: AskExplanation = {
  id: "young-1", app: "batch", queue: "root.research.text", gone: true,
  victim: { victim: young1, for: "web-2", forApp: "web", forQueue: "root.prod", node: "n8", at: 90e9, gone: true, entitled: [entitled], with: ["young-0"] },
  text: "Allocation young-1 was preempted and has left node n8 …",
};

export const preemption: Decision = { seq: 22, at: "1m30s", type: "preemption", id: "young-1", for: "web-2", node: "n8", queue: "root.research.text" };

export const score: AppExplanation = {
  id: "score", queue: "root.research.vision", state: "Accepted", since: 10e9, pending: 1, hasPriority: true,
  reasons: ["max-applications"], blocked: ["root.research.vision"], waits: ["score"], text: "Application score …",
};

const vision: QueueDump = {
  path: "root.research.vision", leaf: true, state: "active", used: { vcore: 3000 }, guaranteed: { vcore: 2000 }, max: { memory: 34_359_738_368, vcore: 4000 },
  headroom: { memory: 34_359_738_368, vcore: 1000 }, pending: { memory: 4_294_967_296, vcore: 3000 }, pendingAsks: 2, allocations: 4, hasPriority: true,
  applications: 3, running: 2, maxRunning: 2, fairShare: 1_500_000_000, appSort: "stateaware",
  properties: { "application.sort.policy": "stateaware", "priority.policy": "fence", "ask.sort.policy": "own" },
};

export const visionWaits: QueueExplanation = {
  queueState: vision, reasons: ["headroom"], lacks: more.lacks, fence: "root.research",
  settings: [
    { name: "application.sort.policy", value: "stateaware", from: "root.research.vision" }, { name: "ask.sort.policy", value: "own", from: "root" },
    { name: "preemption.delay", value: "30s" }, { name: "quota.preemption.delay", value: "1m", from: "root.research", template: true },
  ],
  text: "Queue root.research.vision …",
};

export const queueList: readonly QueueDump[] = [
  { path: "root", state: "active", used: { vcore: 3000 }, max: { memory: 103_079_215_104, vcore: 24_000 }, pendingAsks: 4, allocations: 4 },
  { path: "root.research", state: "active", used: { vcore: 3000 }, max: { vcore: 12_000 }, pendingAsks: 2, allocations: 4 },
  vision,
];

/** A model of one application with an ask that waits and one that runs, on one of two nodes. */
export function sampleModel(): Model {
  const waits: AskModel = { id: "more", app: "train", priority: 0, resources: { vcore: 2000 }, submitted: 11e9 };
  const runs: AskModel = { id: "train-1", app: "train", priority: 0, resources: { vcore: 1000 }, submitted: 0, node: "n1", allocated: 0, leaves: true, leaving: "more" };
  const train: AppModel = { id: "train", queue: vision.path, state: "Running", submitted: 0, gangs: new Map(), asks: new Map([[waits.id, waits], [runs.id, runs]]) };
  const node = (id: string, asks: readonly AskModel[]): NodeModel => ({
    id, capacity: { vcore: 8000 }, occupied: {}, used: { vcore: 1000 }, attributes: { zone: "a" }, schedulable: asks.length > 0, version: 1,
    kept: asks[0]?.leaving, allocations: new Map(asks.map((ask) => [ask.id, ask])),
  });
  return {
    nodes: new Map([["n1", node("n1", [runs])], ["n2", node("n2", [])]]), apps: new Map([["train", train]]), asks: train.asks,
    queues: new Map(queueList.map((q) => [q.path, q])), pending: 1, oldest: waits, capacity: { vcore: 16_000 }, used: { vcore: 1000 }, version: 1,
    apply: () => undefined, reset: () => undefined, setQueues: () => undefined,
  };
}
