import { beforeAll, describe, expect, it } from "vitest";
import { startCore, type Ask as AskCore } from "../engine/core.fixture";
import { engineHere, hasCore } from "../engine/here";
import { presets } from "../learn/presets";
import { drawsFrom } from "../model/draws";
import { randomJournal } from "../model/random.fixture";
import type { Scenario } from "../model/scenario";
import type { Actions } from "../state/actions";
import { Live } from "../state/live";
import { perform } from "../state/perform";
import { status } from "../state/store";
import { fromFile, toFile } from "./journal";
import { fromFragment, longest, toFragment } from "./link";

describe("a scenario as a file", () => {
  it("keeps its title and its first line, and is a journal for every other reader", () => {
    const scenario = { title: "a  b", lesson: "first-steps", journal: '{"type":"journal","version":1,"grace":"1m30s","end":"2m0s"}\n{"at":"0s","type":"tick"}\n' };
    const file = toFile(scenario);
    expect(file).toBe('{"type":"journal","version":1,"grace":"1m30s","end":"2m0s"}\n# title: a b\n# lesson: first-steps\n{"at":"0s","type":"tick"}\n');
    expect(fromFile("x.jsonl", file)).toEqual({ title: "a b", lesson: "first-steps", journal: file });
    expect(toFile({ title: "t", journal: '{"at":"0s","type":"tick"}\n' })).toBe('{"type":"journal","version":1}\n# title: t\n{"at":"0s","type":"tick"}\n');
  });

  it("has nothing of a title or a lesson become an input", () => {
    const inject = 'x\r\n{"at":"0s","type":"node.drain","id":"n"}';
    expect(toFile({ title: inject, lesson: inject, journal: "" }).split("\n").filter((line) => line.startsWith("{"))).toEqual(['{"type":"journal","version":1}']);
  });

  it("is called by its name where it says nothing, and takes nothing from behind the first input", () => {
    const file = '# a comment\n{"at":"0s","type":"tick"}\n# title: no\n';
    expect(fromFile("x.jsonl", file)).toEqual({ title: "x.jsonl", journal: file });
  });
});

describe.skipIf(!hasCore)("what is shared (needs make core-wasm)", () => {
  let ask: AskCore;
  let live: Live;
  let actions: Actions;
  beforeAll(async () => {
    ask = await startCore();
    live = new Live();
    live.engine = await engineHere();
    actions = perform(live, () => undefined);
  });

  /** What the command line makes of a journal without flags: the lines of its decisions. */
  function replayed(journal: string): string {
    return new TextDecoder().decode(ask("replay", { decisions: true }, journal).body);
  }

  /** Holds what the page decided against a replay of its export. In the midst of an instant the replay goes on to the end of it. */
  async function same(what: string): Promise<void> {
    const [decided, again] = [await actions.decisions(), replayed(toFile(await actions.scenario()))];
    const { midway = false, next = Infinity, now = 0 } = status.value ?? {};
    if (midway || next <= now) expect(again.startsWith(decided), what).toBe(true);
    else expect(again, what).toBe(decided);
  }

  const some = presets.filter(({ name }) => name !== "thousand").map((lesson) => [lesson.name, lesson.scenario] as const);

  it.each(some)("%s: at every step a replay of the export, an import and a link give the same decisions", async (name, scenario) => {
    expect(await actions.open(scenario)).toBe(true);
    for (const { goto } of presets.find((lesson) => lesson.name === name)?.steps ?? []) {
      if (goto === undefined) continue;
      if (goto === "end") await live.advance({ idle: true });
      else if ("seconds" in goto) await actions.seekTime(goto.seconds * 1e9);
      else await actions.seekDecision(goto.decision);
      await same(`${name} at ${JSON.stringify(goto)}`);
    }
    await live.advance({ idle: true });
    await same(`${name} at its end`);
    const decided = await actions.decisions();
    const exported: Scenario = { ...(await actions.scenario()), begin: (status.value?.now ?? 0) / 1e9 };
    const fragment = await toFragment(exported);
    expect(fragment.length, `${name}: its link`).toBeLessThan(longest);
    expect(await actions.open(fromFile("x.jsonl", toFile(exported)))).toBe(true);
    expect(await actions.decisions()).toBe(decided);
    const opened = await fromFragment(fragment);
    expect(opened && await actions.open(opened)).toBe(true);
    expect(await actions.decisions()).toBe(decided);
  });

  it.each([1, 2, 3, 4])("random use %i of the page replays the same from its export, wherever it stands", async (seed) => {
    const draw = drawsFrom(seed);
    expect(await actions.open({ title: "Random", journal: randomJournal(seed, 250), grace: seed % 2 === 0 ? 5 : undefined })).toBe(true);
    for (let i = 0; i < 40; i++) {
      const now = status.value?.now ?? 0;
      const id = `by-hand-${i}`;
      switch (draw.below(7)) {
        case 0: await actions.seekTime(now + draw.below(60) * 1e9); break;
        case 1: await actions.seekTime(draw.below(Math.max(1, Math.round(now / 1e6))) * 1e6); break;
        case 2: await actions.step(draw.below(2) === 0 ? "instant" : "decision"); break;
        case 3: await actions.feed([{ type: "node.add", id, capacity: { vcore: 8, memory: "16Gi" } }]); break;
        case 4: await actions.feed([{ type: "app.add", id, queue: "root.default" }, { type: "ask.add", id, app: id, resources: { vcore: 1 }, count: 3, run: "20s" }]); break;
        case 5: await actions.back(); break;
        default: if (draw.below(4) === 0) await actions.cutHere();
      }
      await same(`random use ${seed}, turn ${i}`);
    }
    const decided = await actions.decisions();
    const { midway } = status.value ?? {};
    expect(await actions.open(fromFile("x.jsonl", toFile(await actions.scenario())))).toBe(true);
    if (midway !== true) expect((await actions.decisions()).startsWith(decided)).toBe(true);
  });

  it("says the grace of the session, and what the first line says is followed where it opens", async () => {
    const journal = '{"type":"journal","version":1,"grace":"7s","end":"9s"}\n{"at":"1s","type":"tick"}\n{"at":"2s","type":"tick"}\n';
    expect(await actions.open({ title: "Said", journal })).toBe(true);
    expect(status.value).toMatchObject({ now: 9e9, grace: 7e9 });
    expect((await actions.scenario()).grace).toBe(7);
    expect(await actions.journal()).toBe(journal);
    await actions.seekTime(1e9);
    expect((await actions.journal()).split("\n")[0]).toBe('{"type":"journal","version":1,"grace":"7s","until":"1s"}');
    expect(await actions.open({ title: "Idle", journal: '# first\n{"type":"journal","version":1,"until":"idle"}\n{"at":"1s","type":"tick"}\n' })).toBe(true);
    expect(status.value).toMatchObject({ now: 1e9, idle: true, grace: 0 });
    expect(await actions.open({ title: "Said otherwise", journal, grace: 0, begin: 0 })).toBe(true);
    expect(status.value).toMatchObject({ now: 0, grace: 0 });
  });

  it("says at which line the first line of a journal is wrong", async () => {
    expect(await actions.open({ title: "Bad", journal: '# a\n# b\n{"type":"journal","version":1,"grace":"soon"}\n' })).toBe(false);
  });
});
