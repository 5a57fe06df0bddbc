import { describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import { Session } from "../engine/session";
import type { StateAnswer } from "../engine/types";
import { createModel, type Cluster } from "./cluster";
import type { Line } from "./lines";
import type { AppModel, AskModel, NodeModel } from "./model";
import { randomJournal } from "./random.fixture";

const grace = 5e9;

/** What a model says, in a form that is compared: of the order of asks only that of a node's allocations counts. */
function told(model: Cluster): object {
  const micro = (time = -1): number => Math.round(time / 1e3); // the state tells absolute times less exactly than the lines
  const ask = (a: AskModel): object => ({ ...a, submitted: micro(a.submitted), allocated: micro(a.allocated) });
  const app = (a: AppModel): object => ({ ...a, submitted: micro(a.submitted), asks: [...a.asks.keys()].sort(), gangs: [...new Set([...a.asks.values()].map(({ gang = "" }) => gang))].sort().map((id) => a.gangs.get(id)) });
  const node = (n: NodeModel): object => ({ ...n, version: 0, allocations: [...n.allocations.keys()] });
  const each = <T>(map: ReadonlyMap<string, T>, tell: (item: T) => object): object => Object.fromEntries([...map].map(([id, item]) => [id, tell(item)]));
  return {
    nodes: each(model.nodes, node), apps: each(model.apps, app), asks: each(model.asks, ask), waiting: [...model.waiting.keys()].sort(),
    oldest: micro(model.oldest?.submitted), ended: Object.fromEntries(model.ended), capacity: model.capacity, used: model.used,
  };
}

function taken(state: StateAnswer, start: string): Cluster {
  const model = createModel();
  model.times.start = start;
  model.reset(state);
  return model;
}

/** Follows a journal in steps of at most so many decisions or instants, compares the model with the core's state after each of them, and counts lines by type. */
async function follow(journal: string, seed: number, most = 40): Promise<Map<string, number>> {
  const engine = await engineHere();
  const session = await Session.begin(engine, grace);
  await session.feedAll(journal, () => undefined);
  const model = createModel();
  const seen = new Map<string, number>();
  const hear = (line: Line): void => {
    seen.set(line.type, (seen.get(line.type) ?? 0) + 1);
    model.apply(line);
  };
  for (let turn = seed; ; turn++) {
    const steps = 1 + ((turn * 7919) % most);
    const { status, text } = await session.run({ steps, unit: turn % 3 === 0 ? "instant" : "decision" }, 100_000);
    model.times.start = status.start;
    for (const line of text.split("\n").filter((each) => each !== "")) hear(JSON.parse(line) as Line);
    for (const { kept, reserved } of model.nodes.values()) if (kept !== undefined && reserved !== undefined) seen.set("kept and reserved", 1);
    const state = await session.state();
    expect(told(model), `after decision ${status.seq}`).toEqual(told(taken(state, status.start)));
    if (status.next === undefined) return seen;
    if (turn % 17 === 0 && most > 17) { // smaller steps would never get on
      const back = await session.seek({ seq: Math.max(0, status.seq - 50) }, 100_000);
      model.reset(await session.state());
      expect(back.seq).toBeLessThanOrEqual(status.seq);
    }
  }
}

/** Two nodes that are full, of which daemons of one leaf require one each; one that is kept besides, until it is drained. */
const held = `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}}, {name: b}, {name: d}]}]}]"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"b","queue":"root.b"}
{"at":"0s","type":"ask.add","id":"b","app":"b","resources":{"vcore":1},"count":8}
{"at":"1s","type":"app.add","id":"a","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"a","app":"a","resources":{"vcore":3},"priority":5}
{"at":"3s","type":"app.add","id":"d","queue":"root.d"}
{"at":"3s","type":"ask.add","id":"d1","app":"d","resources":{"vcore":2},"node":"n1","preempt_others":false}
{"at":"3s","type":"ask.add","id":"d2","app":"d","resources":{"vcore":2},"node":"n2","preempt_others":false}
{"at":"4s","type":"tick"}
{"at":"5s","type":"node.drain","id":"n1"}
{"at":"5s","type":"node.drain","id":"n2"}
{"at":"6s","type":"node.resume","id":"n1"}
{"at":"7s","type":"ask.remove","id":"d1"}
{"at":"20s","type":"tick"}
`;

/** Amounts of which two together are beyond 2^63-1. */
const huge = `{"at":"0s","type":"node.add","id":"n1","capacity":{"big":4611686018427387904,"vcore":3}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"big":4611686018427387904,"vcore":7}}
{"at":"0s","type":"node.add","id":"n3","capacity":{"vcore":5}}
{"at":"0s","type":"node.update","id":"n3","capacity":{"big":4611686018427387904},"attributes":{"zone":"a"}}
{"at":"1s","type":"app.add","id":"a","queue":"root.default"}
{"at":"1s","type":"allocation.restore","id":"r1","app":"a","resources":{"big":4611686018427387904,"vcore":1},"placed_on":"n1"}
{"at":"1s","type":"allocation.restore","id":"r2","app":"a","resources":{"big":4611686018427387904,"vcore":1},"placed_on":"n1"}
{"at":"2s","type":"tick"}
`;

/**
 * Two partitions, and queues made by rules. A gang whose tasks take the places of placeholders of their size, another size and
 * none; one that is not complete in time, after which its tasks go on, and one that fails; one that a victim is a placeholder of.
 */
const gangs = `{"at":"0s","type":"config.set","config":"partitions:\\n- placementrules: [{name: provided}, {name: user, create: true, parent: {name: fixed, value: users, create: true}}]\\n  queues: [{name: root, queues: [{name: a}, {name: b, resources: {guaranteed: {vcore: 8}}, properties: {preemption.delay: 1s}}, {name: users, parent: true}]}]\\n- name: GPU\\n  queues: [{name: root, queues: [{name: a}]}]"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":8}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4}}
{"at":"0s","type":"node.add","id":"g1","capacity":{"vcore":4},"partition":"gpu"}
{"at":"0s","type":"node.add","id":"n3","capacity":{"vcore":1},"partition":"default"}
{"at":"1s","type":"app.add","id":"form","queue":"root.a","user":"ann","placeholder_ask":{"vcore":4},"placeholder_timeout":"1m"}
{"at":"1s","type":"ask.add","id":"form-p","app":"form","resources":{"vcore":1},"count":4,"task_group":"t","placeholder":true}
{"at":"2s","type":"ask.add","id":"form-r","app":"form","resources":{"vcore":1},"task_group":"t","count":2}
{"at":"3s","type":"ask.add","id":"form-l","app":"form","resources":{"vcore":2},"task_group":"t"}
{"at":"4s","type":"ask.add","id":"form-h","app":"form","resources":{"vcore":9},"task_group":"t"}
{"at":"5s","type":"app.add","id":"soft","queue":"root.a","user":"ann","placeholder_ask":{"vcore":20},"placeholder_timeout":"10s"}
{"at":"5s","type":"ask.add","id":"soft-p","app":"soft","resources":{"vcore":2},"count":10,"task_group":"t","placeholder":true}
{"at":"5s","type":"ask.add","id":"soft-r","app":"soft","resources":{"vcore":2},"count":2,"task_group":"t"}
{"at":"6s","type":"app.add","id":"hard","user":"bob","placeholder_ask":{"vcore":20},"placeholder_timeout":"10s","gang_style":"Hard"}
{"at":"6s","type":"ask.add","id":"hard-p","app":"hard","resources":{"vcore":1},"count":20,"task_group":"t","placeholder":true}
{"at":"6s","type":"ask.add","id":"hard-r","app":"hard","resources":{"vcore":2},"count":2,"task_group":"t"}
{"at":"7s","type":"app.add","id":"take","queue":"root.b","user":"eve"}
{"at":"7s","type":"ask.add","id":"take","app":"take","resources":{"vcore":2},"count":3}
{"at":"8s","type":"app.add","id":"far","queue":"root.a","partition":"GPU"}
{"at":"8s","type":"ask.add","id":"far","app":"far","resources":{"vcore":3},"count":2,"run":"5s"}
{"at":"9s","type":"node.remove","id":"n3"}
{"at":"2m","type":"allocation.release","id":"take-1"}
{"at":"80h","type":"tick"}
`;

/** Atomic gangs: one that is whole with surplus, broken, repaired, and done; one that ends, and waits again; one that is not placed in time. */
const atomic = `{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"1s","type":"ask.add","id":"m","app":"a","resources":{"vcore":1},"gang":"g","gang_min":2,"count":3}
{"at":"2s","type":"allocation.release","id":"m-1","failed":true}
{"at":"3s","type":"allocation.release","id":"m-2","failed":true}
{"at":"4s","type":"ask.add","id":"r","app":"a","resources":{"vcore":1},"gang":"g","gang_min":2}
{"at":"5s","type":"allocation.release","id":"r"}
{"at":"6s","type":"app.add","id":"b","queue":"root.default"}
{"at":"6s","type":"ask.add","id":"e","app":"b","resources":{"vcore":1},"gang":"h","gang_min":2,"gang_repair":"2s","count":2}
{"at":"7s","type":"allocation.release","id":"e-1","failed":true}
{"at":"20s","type":"ask.add","id":"f","app":"b","resources":{"vcore":1},"gang":"h","gang_min":2,"gang_repair":"2s"}
{"at":"21s","type":"app.add","id":"c","queue":"root.default"}
{"at":"21s","type":"ask.add","id":"s","app":"c","resources":{"vcore":3},"gang":"i","gang_min":2,"gang_timeout":"5s","gang_fallback":"members","count":2}
{"at":"40s","type":"tick"}
`;

const common = ["node.remove", "allocation.restore", "allocation", "release", "reservation", "unreservation", "preemption", "ask.rejected", "config.accepted", "ignored"];

describe.skipIf(!hasCore)("the model, beside the core's own state", () => {
  it.each([1, 2, 3, 4, 5, 6])("is the same at any moment of the random journal %i", async (seed) => {
    const seen = await follow(randomJournal(seed, 900), seed);
    for (const type of common) expect(seen.get(type), type).toBeGreaterThan(0);
  });

  it("shows a node that is held for one ask and kept for another, several holds of one leaf, and what ends them", async () => {
    const seen = await follow(held, 1, 1);
    expect(seen.get("kept and reserved")).toBe(1);
    expect(seen.get("reservation")).toBeGreaterThanOrEqual(2);
    expect(seen.get("preemption.lapsed")).toBeGreaterThanOrEqual(1);
  });

  it("shows placeholders and what becomes of them, queues that rules make, and several partitions", async () => {
    const seen = await follow(gangs, 1, 1);
    for (const type of ["placeholder.replaced", "placeholder.timeout", "preemption", "queue.state", "app.state", "release"]) expect(seen.get(type), type).toBeGreaterThan(0);
    for (const type of ["app.rejected", "node.rejected", "config.rejected"]) expect(seen.get(type), type).toBeUndefined();
  });

  it("shows atomic gangs and how they stand", async () => {
    const seen = await follow(atomic, 1, 1);
    for (const type of ["gang.broken", "gang.repaired", "gang.ended", "gang.fallback"]) expect(seen.get(type), type).toBeGreaterThan(0);
  });

  it("takes back what would pass the largest amount", async () => {
    const seen = await follow(huge, 1, 1);
    expect([seen.get("node.rejected"), seen.get("ignored"), seen.get("ask.rejected")]).toEqual([1, 1, 1]);
  });

  it("is the same where times are absolute", async () => {
    const journal = randomJournal(7, 300).replace(/"at":"(\d+)ms"/g, (_, ms: string) => `"at":"${new Date(Date.UTC(2026, 2, 1) + Number(ms)).toISOString()}"`);
    await follow(journal, 7);
  });
});
