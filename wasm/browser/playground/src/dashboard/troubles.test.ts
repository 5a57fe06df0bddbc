import { expect, test } from "vitest";
import type { QueueDump } from "../engine/types";
import type { PolicyObject } from "./host/objects";
import { timeOfDay } from "./host/times";
import { troublesOf, type Stats } from "./troubles";

const well: Stats = { cluster: { nodes: 3, drained: 0 }, store: {}, view: { lag_seconds: 0 }, configuration: { refused: [] } };
const policy: PolicyObject = { policy: "pack", state: "serving", points: [], in_force: true, calls: 0, faults: 0 };
const told = (list: ReturnType<typeof troublesOf>) => list.map(({ grave, text }) => `${grave ? "!" : ""}${text}`);

test("a cluster that does well has no troubles, and neither has one of which nothing is known", () => {
  const queue: QueueDump = { path: "root.a", leaf: true, state: "active", used: { vcore: 2000 }, max: { vcore: 2000 }, guaranteed: { vcore: 2000 }, pending: { vcore: 1000 }, pendingAsks: 1 };
  expect(troublesOf({ stats: well, policies: [policy], queues: [queue] })).toEqual([]);
  expect(troublesOf({ queues: [] })).toEqual([]);
});

test("what is wrong with the host comes first", () => {
  const since = "2026-03-01T10:30:00Z";
  const stats: Stats = { cluster: { nodes: 3, drained: 1 }, store: { failed: "no space left on device" }, view: { lag_seconds: 12.4 }, configuration: { refused: [
    { source: "api", since, error: "config:1: no queues", errors: 1 }, { source: "configmap", file: "/etc/queues.yaml", since, error: "queues.yaml:3: unknown key", errors: 2 },
  ] } };
  expect(told(troublesOf({ stats, queues: [] }))).toEqual([
    "!The host cannot write its record, and accepts no inputs: no space left on device",
    "!This page is 12s behind the scheduler.",
    `!The configuration file /etc/queues.yaml of a ConfigMap has been refused since ${timeOfDay(since)}, and the previous configuration stays in force: queues.yaml:3: unknown key, and 1 more error`,
    "1 node of 3 is drained: no ask is placed there.",
    `A configuration sent over the API has been refused since ${timeOfDay(since)}, and the previous configuration stays in force: config:1: no queues`,
  ]);
  expect(told(troublesOf({ stats: { ...well, cluster: { nodes: 2, drained: 2 } }, queues: [] }))).toEqual(["!All nodes are drained: no ask can be placed."]);
});

test("policies that failed or were refused lead to where more is told", () => {
  const fault = { at: "", reason: "trap", message: "", fallback: "fair" };
  const list = troublesOf({ policies: [{ ...policy, state: "quarantined", last_fault: fault }, { ...policy, policy: "new", refused: "bad" }, { ...policy, policy: "junk", state: "refused", refused: "bad" }], queues: [] });
  expect(told(list)).toEqual(["!Policy pack failed: fair decides in its place.", "!The files of policy junk are refused.", "The files of policy new are refused; the previous version stays in force."]);
  expect(list.map(({ address }) => address)).toEqual(["#/policies/pack", "#/policies/junk", "#/policies/new"]);
});

test("queues are named that are over their max, that wait below their guarantee, and that drain; of many the first ones", () => {
  const over = (i: number): QueueDump => ({ path: `root.q${i}`, used: { vcore: 3000, memory: 1 }, max: { vcore: 2000, memory: 1 } });
  const list = troublesOf({ queues: [
    ...[1, 2, 3, 4, 5, 6, 7].map(over),
    { path: "root.low", leaf: true, used: { vcore: 1000 }, guaranteed: { vcore: 4000, gpu: 1 }, pending: { vcore: 1000 }, pendingAsks: 1 },
    { path: "root.idle", leaf: true, used: {}, guaranteed: { vcore: 4000 }, pending: { memory: 1 }, pendingAsks: 1 },
    { path: "root.old", leaf: true, state: "draining" },
  ] });
  expect(told(list)).toEqual([...[1, 2, 3, 4, 5].map((i) => `root.q${i} uses 1 vcore more than its max.`), "2 more queues over their max.",
    "root.low waits below its guarantee: it uses 1 of 4 vcore.", "root.old is draining: it accepts no new applications."]);
  expect(list[0]?.address).toBe("#/queues/root.q1");
});
