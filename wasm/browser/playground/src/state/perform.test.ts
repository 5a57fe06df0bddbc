import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import type { Actions } from "./actions";
import { Live } from "./live";
import { perform } from "./perform";
import { configuration, crash, lesson, modules, notices, phase, playing, preempted, queues, recent, speed, status, title } from "./store";

const moduleFile = fileURLToPath(new URL("../../../../../build/policies/binpacking-c.wasm", import.meta.url));
const config = "partitions: [{queues: [{name: root, queues: [{name: a}, {name: b}]}]}]";
const journal = `{"type":"journal","version":1}
# Two nodes, and more work than they hold at once.
{"at":"0s","type":"config.set","config":"${config}"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4,"memory":"8Gi"}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4,"memory":"8Gi"}}
{"at":"1s","type":"app.add","id":"web","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"w","app":"web","resources":{"vcore":2},"run":"10s","count":6}
{"at":"5s","type":"app.add","id":"batch","queue":"root.b"}
{"at":"6s","type":"ask.add","id":"b","app":"batch","resources":{"vcore":1,"memory":"1Gi"},"run":"3s"}
`;

describe.skipIf(!hasCore)("what a user can do", () => {
  let live: Live;
  let actions: Actions;
  let ticks: ((now: number, seen: boolean) => void)[] = [];
  let now = 0; // ms of the page

  beforeEach(async () => {
    live = new Live();
    ticks = [];
    actions = perform(live, (tick) => ticks.push(tick));
    live.engine = await engineHere();
    notices.value = [];
    expect(await actions.open({ title: "Two nodes", journal })).toBe(true);
  });

  /** Draws frames that are 16 ms apart, until playing stops. */
  async function frames(most = 2000): Promise<void> {
    for (let i = 1; i <= most && playing.value; i++) {
      now += 16;
      ticks.splice(0).forEach((tick) => { tick(now, true); });
      await new Promise((resolve) => { setTimeout(resolve); });
    }
  }

  it("knows which lesson runs, if it is one", async () => {
    expect(lesson.value).toBe("");
    await actions.open({ title: "Two nodes", lesson: "two", journal });
    expect(lesson.value).toBe("two");
    expect((await actions.scenario()).lesson).toBe("two");
    await actions.open({ title: "Two nodes", journal });
    expect((await actions.scenario()).lesson).toBeUndefined();
  });

  it("opens a scenario and plays its first instant", () => {
    expect(title.value).toBe("Two nodes");
    expect([...actions.model().nodes.keys()]).toEqual(["n1", "n2"]);
    expect(configuration.value).toEqual({ text: config, format: "yaml" });
    expect(queues.value.map(({ path }) => path)).toEqual(["root", "root.a", "root.b"]);
    expect(status.value?.now).toBe(0);
  });

  it("plays to the end, at any speed", async () => {
    speed.value = 100;
    actions.play();
    await frames();
    expect(actions.model().pending).toBe(0);
    expect(actions.model().used).toEqual({});
    expect(recent.value.at(-1)?.to).toBe("Completed");
    expect(actions.series().time.length).toBeGreaterThan(3);
  });

  it("steps by decision, input and instant, and says when nothing is left", async () => {
    const seq = status.value?.seq ?? 0;
    await actions.step("decision");
    expect(status.value?.seq).toBe(seq + 1);
    await actions.step("input");
    expect(status.value).toMatchObject({ applied: 5, midway: true });
    await actions.step("instant");
    expect(status.value).toMatchObject({ now: 1e9, midway: false });
    await actions.seekTime(1e15);
    await actions.step("decision");
    expect(notices.value.at(-1)?.text).toBe("There are no more events.");
  });

  it("goes back and forth, and is the same wherever it came from", async () => {
    await actions.seekTime(20e9);
    const decisions = await actions.decisions();
    const { length } = decisions.trim().split("\n");
    expect(status.value?.seq).toBe(length);
    await actions.back();
    expect(status.value?.seq).toBeLessThan(length);
    await actions.seekDecision(7);
    expect(recent.value.length).toBe(7);
    expect(actions.model().pending).toBeGreaterThan(0);
    await actions.seekDecision(0);
    expect(actions.model().nodes.size).toBe(0);
    expect(configuration.value).toBeUndefined();
    await actions.back();
    expect(status.value?.seq).toBe(0);
    await actions.seekDecision(length);
    expect(status.value?.seq).toBe(length);
    expect(await actions.decisions()).toBe(decisions);
    expect(configuration.value?.text).toBe(config);
  });

  it("keeps the series when it goes back, and cuts it where the journal changes", async () => {
    await actions.seekTime(20e9);
    const { length } = actions.series().time;
    await actions.seekTime(2e9);
    await actions.seekTime(4e9);
    expect(actions.series().time.length).toBe(length);
    expect(await actions.feed([{ type: "node.drain", id: "n1" }])).toBe(true);
    expect(actions.series().time.at(-1)).toBeLessThanOrEqual(4.1);
    expect(status.value?.applied).toBeLessThan(status.value?.entries ?? 0);
    await actions.cutHere();
    expect(status.value?.applied).toBe(status.value?.entries);
  });

  it("has inputs happen now", async () => {
    await actions.seekTime(2_500_000_001);
    expect(await actions.feed([{ type: "app.add", id: "late", queue: "root.b" }, { type: "ask.add", id: "l", app: "late", resources: { vcore: "500m" } }])).toBe(true);
    expect(actions.model().asks.get("l")).toMatchObject({ submitted: 2_500_000_001 });
    expect(await actions.feed([{ type: "node.remove", id: "n2" }])).toBe(true);
    expect(actions.model().nodes.has("n2")).toBe(false);
    expect(await actions.journal()).toContain('"at":"2.500000001s","type":"app.add","id":"late"');
  });

  it("has inputs happen now, long after numbers no longer tell single nanoseconds apart", async () => {
    await actions.seekTime(200 * 86_400e9 + 1);
    expect(await actions.feed([{ type: "node.drain", id: "n1" }])).toBe(true);
    expect(actions.model().nodes.get("n1")?.schedulable).toBe(false);
    expect(notices.value).toEqual([]);
  });

  it("says what the scheduler refused, and that nothing changed", async () => {
    expect(await actions.feed([{ type: "node.add", id: "n1", capacity: { vcore: 1 } }])).toBe(false);
    expect(notices.value.at(-1)).toMatchObject({ kind: "error", text: 'Node "n1" already exists.' });
    expect(await actions.feed([{ type: "node.add", id: "n9", capacity: { vcore: "one" } }])).toBe(false);
    expect(notices.value.at(-1)?.text).toMatch(/^Line 1, capacity\.vcore: expected a quantity such as .*, found "one"\.$/);
    expect(await actions.reload({ text: "partitions: [{}]", format: "yaml" })).toBe(false);
    expect(notices.value.at(-1)?.kind).toBe("error");
    expect(configuration.value?.text).toBe(config);
  });

  it("reloads the configuration, and has the one that was in force where it goes", async () => {
    await actions.seekTime(3e9);
    const text = "partitions: [{queues: [{name: root, queues: [{name: a}, {name: b}, {name: c}]}]}]";
    expect(await actions.reload({ text, format: "yaml" })).toBe(true);
    expect(configuration.value?.text).toBe(text);
    expect(queues.value.map(({ path }) => path)).toContain("root.c");
    await actions.seekTime(2e9);
    expect(configuration.value?.text).toBe(config);
    expect(queues.value.map(({ path }) => path)).not.toContain("root.c");
  });

  it("adds lines when they say, or none of them", async () => {
    const before = await actions.journal();
    expect(await actions.importLines('{"at":"7s","type":"tick"}\n{"at":"8s","type":"node.add"}\n')).toBe(false);
    expect(notices.value.at(-1)?.text).toBe("Line 2, id: expected the key, which node.add needs, found none.");
    expect(await actions.journal()).toBe(before);
    expect(await actions.importLines('{"at":"2s","type":"tick"}\n{"at":"8s","type":"tick"}\n')).toBe(true);
    expect((await actions.journal()).split("\n").filter((line) => line.includes("tick"))).toHaveLength(2);
    await actions.seekTime(3e9);
    expect(await actions.importLines('{"at":"2s","type":"tick"}\n')).toBe(false);
    expect(notices.value.at(-1)?.text).toBe("Line 1: at: expected a time after 3s of the session, found 2s.");
  });

  it("goes on with what runs where a scenario is refused", async () => {
    await actions.seekTime(3e9);
    const before = await actions.journal();
    expect(await actions.open({ title: "Broken", journal: '{"at":"1s","type":"tick"}\nnonsense\n' })).toBe(false);
    expect(title.value).toBe("Two nodes");
    expect(await actions.journal()).toBe(before);
    await actions.seekTime(20e9);
    expect(status.value?.seq).toBeGreaterThan(10);
  });

  it("opens what it exported, and what comes of it is the same", async () => {
    await actions.seekTime(4e9);
    await actions.feed([{ type: "ask.add", id: "more", app: "web", resources: { vcore: 3 } }]);
    await actions.seekTime(60e9);
    const decisions = await actions.decisions();
    expect(await actions.open({ title: "Again", journal: await actions.journal(), begin: 60 })).toBe(true);
    expect(await actions.decisions()).toBe(decisions);
  });

  it("opens journals of absolute times, a configuration beside them, and where to begin", async () => {
    const absolute = journal.replace(/^.*config.set.*$/m, "").replace(/"at":"(\d)s"/g, '"at":"2026-03-01T09:00:0$1.5Z"');
    expect(await actions.open({ title: "Absolute", journal: absolute, config: { text: config, format: "yaml" }, begin: 5, speed: 60 })).toBe(true);
    expect(status.value).toMatchObject({ now: 5e9, start: "2026-03-01T09:00:00.5Z" });
    expect(speed.value).toBe(60);
    expect(configuration.value?.text).toBe(config);
    expect([...actions.model().apps.values()].map(({ submitted }) => submitted)).toEqual([1e9, 5e9]);
    await actions.feed([{ type: "tick" }]);
    expect(await actions.journal()).toContain('"at":"2026-03-01T09:00:05.500000001Z","type":"tick"');
  });

  it("explains what is picked", async () => {
    await actions.seekTime(2e9);
    expect(await actions.explain({ kind: "ask", id: "w-6" })).toMatchObject({ id: "w-6", pending: true });
    expect(await actions.explain({ kind: "queue", id: "root.a" })).toHaveProperty("queueState.path", "root.a");
    expect(await actions.explain({ kind: "app", id: "web" })).toMatchObject({ id: "web", queue: "root.a" });
    expect(await actions.explain({ kind: "node", id: "n1" })).toBeUndefined();
    expect(await actions.explain({ kind: "ask", id: "nobody" })).toBeUndefined();
    const decision = recent.value.find(({ type }) => type === "allocation");
    expect(decision && (await actions.explain({ kind: "decision", id: "w-1", decision }))).toMatchObject({ id: "w-1", node: "n1" });
    expect(await actions.dryRun("w-6")).toHaveProperty("verdict");
  });

  it("keeps the journal when the scheduler traps, and says so instead of throwing", async () => {
    let trap = false;
    live = new Live();
    actions = perform(live, () => undefined);
    live.engine = await engineHere(() => { if (trap) throw new WebAssembly.RuntimeError("unreachable"); });
    await actions.open({ title: "To crash", journal });
    await actions.feed([{ type: "ask.add", id: "last", app: "web", resources: { vcore: 1 } }]);
    const before = await actions.journal();
    trap = true;
    await actions.step("instant");
    expect([phase.value, crash.value?.message, playing.value]).toEqual(["crashed", "unreachable", false]);
    expect(await actions.journal()).toBe(before);
    expect(before).toContain('"id":"last"');
    expect(await actions.feed([{ type: "tick" }])).toBe(false);
    expect(await actions.open({ title: "Other", journal })).toBe(false);
    expect(await actions.explain({ kind: "ask", id: "w-1" })).toBeUndefined();
    expect(notices.value.at(-1)?.text).toBe("The scheduler has ended. The journal can still be exported.");
    phase.value = "loading";
  });

  it.skipIf(!existsSync(moduleFile))("loads a policy module, travels back with it, and drops it", async () => {
    await actions.seekTime(2e9);
    const bytes = readFileSync(moduleFile);
    expect(await actions.loadModule({ name: "packed", bytes })).toBe(true);
    expect(modules.value.map(({ name }) => name)).toEqual(["packed"]);
    expect(await actions.open({ title: "Never leaves", journal, grace: 1e10 })).toBe(false);
    expect(modules.value.map(({ name }) => name)).toEqual(["packed"]);
    expect(await actions.journal()).toContain('"type":"policy.set","name":"packed"');
    await actions.seekTime(20e9);
    const decisions = await actions.decisions();
    expect(await actions.dropModule("packed")).toBe(true);
    expect(modules.value).toEqual([]);
    expect(await actions.loadModule({ name: "broken", bytes: bytes.subarray(0, 100) })).toBe(false);
    expect(notices.value.at(-1)?.kind).toBe("error");
    const journalNow = await actions.journal();
    expect(await actions.open({ title: "Again", journal: journalNow, modules: [{ name: "packed", bytes }], begin: 20 })).toBe(true);
    expect((await actions.decisions()).startsWith(decisions)).toBe(true);
    expect(await actions.open({ title: "Unnamed", journal, modules: [{ name: "packed", bytes }] })).toBe(true);
    expect(await actions.journal()).toContain("policy.set");
    expect(await actions.open({ title: "None", journal })).toBe(true);
    expect(modules.value).toEqual([]);
  });

  it("keeps the time of the session at its speed, and goes on while things happen", async () => {
    await actions.importLines('{"at":"1h","type":"tick"}');
    speed.value = 50;
    actions.play();
    await frames(100);
    expect(Math.abs((status.value?.now ?? 0) / 1e9 - 100 * 0.016 * 50)).toBeLessThan(5);
    expect(await actions.feed([{ type: "node.remove", id: "n1" }])).toBe(true);
    expect(playing.value).toBe(true);
    expect(actions.model().nodes.has("n1")).toBe(false);
    speed.value = 10_000;
    await frames();
    expect(playing.value).toBe(false);
    expect(status.value).toMatchObject({ idle: true, applied: status.value?.entries });
  });

  it("goes to whole nanoseconds, the start at the earliest", async () => {
    await actions.seekTime(1e9 + 0.4);
    expect(status.value?.now).toBe(1e9);
    await actions.seekTime(-1);
    expect(status.value?.now).toBe(0);
    expect(notices.value).toEqual([]);
  });

  it("has the decisions before one", async () => {
    await actions.seekTime(3600e9);
    const all = await actions.earlier((status.value?.seq ?? 0) + 1);
    expect(all.map(({ seq }) => seq)).toEqual(recent.value.map(({ seq }) => seq));
    expect((await actions.earlier(4)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await actions.earlier(1)).toEqual([]);
  });

  it("counts those who were told to leave, wherever it goes", async () => {
    const line = (at: string, type: string, more: object) => JSON.stringify({ at, type, ...more });
    const config = "partitions: [{queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 4}}}, {name: b}]}]}]";
    await actions.open({
      title: "A victim", journal: [
        line("0s", "config.set", { config }), line("0s", "node.add", { id: "n", capacity: { vcore: 4 } }),
        line("0s", "app.add", { id: "b", queue: "root.b" }), line("0s", "ask.add", { id: "low", app: "b", resources: { vcore: 4 } }),
        line("1s", "app.add", { id: "a", queue: "root.a" }), line("1s", "ask.add", { id: "high", app: "a", resources: { vcore: 4 } }),
      ].join("\n"),
    });
    expect(preempted.value).toBe(0);
    await actions.seekTime(3600e9);
    expect(preempted.value).toBe(1);
    await actions.seekTime(0);
    expect(preempted.value).toBe(0);
    await actions.seekTime(3600e9);
    expect(preempted.value).toBe(1);
    await actions.seekTime(0);
    await actions.cutHere();
    await actions.seekTime(3600e9);
    expect(preempted.value).toBe(0);
  });

  it("plays on to the end, and pauses where it is told to", async () => {
    const end = actions.runToEnd();
    await frames();
    await end;
    expect(status.value?.idle).toBe(true);
    await actions.seekTime(0);
    speed.value = 1;
    actions.play();
    await frames(20);
    actions.pause();
    expect(playing.value).toBe(false);
    await actions.step("decision");
    expect(status.value?.now).toBeLessThan(2e9);
  });
});
