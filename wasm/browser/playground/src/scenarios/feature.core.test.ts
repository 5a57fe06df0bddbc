import { beforeAll, describe, expect, it } from "vitest";
import { startCore, written, type Ask as AskCore } from "../engine/core.fixture";
import { hasCore } from "../engine/here";
import { presets } from "../learn/presets";
import type { Scenario } from "../model/scenario";
import { CannotSay, toFeature, type Past } from "./feature";
import { runnerIsBuilt, startRunner, type Ask } from "./runner.fixture";

describe.skipIf(!hasCore || !runnerIsBuilt)("a session as a feature (needs make core-wasm)", () => {
  let ask: AskCore;
  let run: Ask;
  beforeAll(async () => {
    ask = await startCore();
    run = await startRunner();
  });

  /** What a session has seen when it has come to a share of its decisions; the same way that the page has it. */
  function past({ title, journal, grace = 0 }: Scenario, share: number): Past {
    const { id } = ask("session.new", { grace: grace * 1e9 }).answer;
    ask("session.feed", { id }, journal);
    let status = ask("session.run", { id, to: { idle: true } }).answer;
    while (!status.done) status = ask("session.run", { id, to: { idle: true } }).answer;
    if (share < 1) {
      const seq = Math.floor(status.seq * share);
      do status = ask("session.seek", { id, seq }).answer;
      while (!status.done);
    }
    const all = { title, journal: written(ask, id, "journal"), decisions: written(ask, id, "decisions"), now: status.midway ? status.now - 1 : status.now };
    ask("free", { id });
    return all;
  }

  const small = presets.filter(({ name }) => name !== "thousand").map((lesson) => [lesson.name, lesson.scenario] as const);

  it.each(small)("%s passes, at its end and on the way", (_, scenario) => {
    for (const share of [1, 0.7, 0.4]) {
      const seen = past(scenario, share);
      if (seen.now < 0) {
        expect(() => toFeature(seen)).toThrow(/^there are no inputs yet/); // in the midst of the first instant
        continue;
      }
      const text = toFeature(seen);
      const { scenarios } = run("run", {}, text);
      expect(scenarios.map(({ status, message }) => ({ status, message })), text).toEqual([{ status: "passed" }]);
    }
  });
});

describe("what is no scenario for people", () => {
  const past = { title: "", decisions: "", now: 1e9 };
  const node = (more: object) => `${JSON.stringify({ at: "0s", type: "node.add", id: "n", capacity: { vcore: 1 }, ...more })}\n`;

  it.each([
    ["there are 201 inputs so far", node({}).repeat(201)],
    ["there are 5001 inputs so far", `${node({})}{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{},"count":5000}`],
    ["there are no inputs yet", node({ at: "2s" })],
    ["zone=a,b has a comma", node({ attributes: { zone: "a,b" } })],
    ["the name n has quotes.", '{"at":"0s","type":"node.drain","id":"n\\""}'],
    ["it uses policy modules", '{"at":"0s","type":"policy.remove","name":"p"}'],
    ["begins or ends with a space", node({ id: " n" })],
  ])("%s", (message, journal) => {
    expect(() => toFeature({ ...past, journal })).toThrow(CannotSay);
    expect(() => toFeature({ ...past, journal })).toThrow(message.replace("name n", 'name n"'));
  });
});
