import { beforeAll, describe, expect, it } from "vitest";
import { startCore, written, type Ask as AskCore } from "../engine/core.fixture";
import { hasCore } from "../engine/here";
import { presets } from "../learn/presets";
import type { Scenario } from "../model/scenario";
import { fromFile, toFile } from "./journal";
import { fromFragment, longest, toFragment } from "./link";

describe("a scenario as a file", () => {
  it("keeps title and grace, and is a journal for every other reader", () => {
    const scenario = { title: "a  b", lesson: "first-steps", grace: 90, journal: '{"type":"journal","version":1}\n{"at":"0s","type":"tick"}\n' };
    const file = toFile(scenario);
    expect(file).toBe('{"type":"journal","version":1}\n# title: a b\n# lesson: first-steps\n# grace: 1m30s\n{"at":"0s","type":"tick"}\n');
    expect(fromFile("x.jsonl", file)).toEqual({ title: "a b", lesson: "first-steps", grace: 90, journal: file });
  });

  it("is called by its name where it says nothing, and takes nothing from behind the first input", () => {
    const file = '# a comment\n{"at":"0s","type":"tick"}\n# title: no\n';
    expect(fromFile("x.jsonl", file)).toEqual({ title: "x.jsonl", journal: file });
  });
});

describe.skipIf(!hasCore)("what is shared (needs make core-wasm)", () => {
  let ask: AskCore;
  beforeAll(async () => { ask = await startCore(); });

  /** Plays a journal to its end; gives the sum of its decisions and the journal that it would export. */
  function play({ journal, grace = 0 }: Scenario): { readonly hash: string | undefined; readonly journal: string } {
    const { id } = ask("session.new", { grace: grace * 1e9 }).answer;
    ask("session.feed", { id }, journal);
    while (!ask("session.run", { id, to: { idle: true } }).answer.done);
    const text = written(ask, id, "journal");
    const { hash } = ask("session.status", { id }).answer;
    ask("free", { id });
    return { hash, journal: text };
  }

  const some = presets.filter(({ name }) => name !== "thousand").map((lesson) => [lesson.name, lesson.scenario] as const);

  it.each(some)("%s: export, import and a link give the same decisions", async (name, scenario) => {
    const { hash, journal } = play(scenario);
    const exported = { ...scenario, journal };
    expect(play(fromFile("x.jsonl", toFile(exported))).hash).toBe(hash);
    const fragment = await toFragment(exported);
    expect(fragment.length, `${name}: its link`).toBeLessThan(longest);
    const opened = await fromFragment(fragment);
    expect(opened && play(opened).hash).toBe(hash);
  });
});
