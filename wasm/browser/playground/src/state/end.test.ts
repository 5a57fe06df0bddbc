import { effect } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import type { Actions } from "./actions";
import { Live } from "./live";
import { perform } from "./perform";
import { frame, playing, progress, queues, status } from "./store";

const config = "partitions: [{queues: [{name: root, queues: [{name: a}]}]}]";
const journal = [
  { at: "0s", type: "config.set", config },
  { at: "0s", type: "node.add", id: "n1", capacity: { vcore: 50 } },
  { at: "1s", type: "app.add", id: "web", queue: "root.a" },
  ...Array.from({ length: 60 }, (_, i) => ({ at: `${String(i + 2)}s`, type: "ask.add", id: `w${String(i)}`, app: "web", resources: { vcore: 1 }, run: "3s", count: 80 })),
].map((line) => `${JSON.stringify(line)}\n`).join("");

describe.skipIf(!hasCore)("running to the end", () => {
  let live: Live;
  let actions: Actions;

  beforeEach(async () => {
    live = new Live();
    actions = perform(live, () => undefined); // no frame is ever drawn: it does not need any
    live.engine = await engineHere();
    expect(await actions.open({ title: "Work", journal: `{"type":"journal","version":1}\n${journal}` })).toBe(true);
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 400));
  });
  afterEach(() => { vi.restoreAllMocks(); });

  it("shows how far it is, and pictures of one instant each", async () => {
    const shares: number[] = [];
    const pictures: { model: number; queue: number; now: number }[] = [];
    const stops = [
      effect(() => { if (progress.value) shares.push(progress.value.share); }),
      effect(() => {
        if (frame.value < 0) return;
        pictures.push({ model: live.model.used.vcore ?? 0, queue: queues.peek()[0]?.used?.vcore ?? 0, now: status.peek()?.now ?? 0 });
      }),
    ];
    await actions.runToEnd();
    stops.forEach((stop) => { stop(); });
    expect(status.value).toMatchObject({ idle: true, applied: 4803 });
    expect(live.model.pending).toBe(0);
    expect(shares.length).toBeGreaterThan(4);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(pictures.map(({ now }) => now)).size).toBeGreaterThan(3);
    expect(pictures.map(({ queue }) => queue)).toEqual(pictures.map(({ model }) => model));
    expect(pictures.some(({ model }) => model > 0)).toBe(true);
    expect(progress.value).toBeUndefined();
    expect(playing.value).toBe(false);
  });

  it("decides and knows the same as a way there in one step", async () => {
    await actions.runToEnd();
    const hash = (await live.session.status()).hash;
    const { time, pending } = actions.series();
    const last = [time.at(-1), pending.at(-1), status.value?.now];
    await actions.open({ title: "Work", journal: `{"type":"journal","version":1}\n${journal}` });
    await live.advance({ idle: true });
    expect((await live.session.status()).hash).toBe(hash);
    expect([actions.series().time.at(-1), actions.series().pending.at(-1), status.value?.now]).toEqual(last);
  });

  it("stops where it is paused, and what is shown is of there", async () => {
    const stop = effect(() => { if ((progress.value?.share ?? 0) > 0.2) actions.pause(); });
    await actions.runToEnd();
    stop();
    const now = await live.turns.take(() => live.session.status());
    expect(now.idle).toBe(false);
    expect(status.value).toMatchObject({ now: now.now, seq: now.seq });
    expect(queues.value[0]?.used?.vcore).toBe(live.model.used.vcore);
    await actions.runToEnd();
    expect(status.value?.idle).toBe(true);
  });

  it("lets what is asked for in between have its turn", async () => {
    const end = actions.runToEnd();
    expect(await actions.feed([{ type: "app.add", id: "late", queue: "root.a" }])).toBe(true);
    await end;
    expect(status.value).toMatchObject({ idle: true, applied: 4804 });
    expect(live.model.apps.has("late")).toBe(true);
  });

  it("always has another stretch asked for, so that the scheduler never waits for the page", async () => {
    const run = live.session.run.bind(live.session);
    const open: number[] = []; // stretches under way when one was answered, without it
    let asked = 0;
    let answered = 0;
    live.session.run = async (...goal) => {
      asked++;
      const stretch = await run(...goal);
      await new Promise((come) => setTimeout(come)); // in a task of its own, as from a worker
      answered++;
      if (!stretch.status.done) open.push(asked - answered);
      return stretch;
    };
    await actions.runToEnd();
    expect(open.length).toBeGreaterThan(4);
    expect(new Set(open)).toEqual(new Set([1]));
    expect(asked - open.length).toBeLessThanOrEqual(2); // one that reached the end, and one behind it
  });

  it("ends with words where the scheduler traps", async () => {
    live.session.run = () => Promise.reject(new Error("unreachable"));
    await actions.runToEnd();
    expect(playing.value).toBe(false);
    expect(progress.value).toBeUndefined();
  });
});
