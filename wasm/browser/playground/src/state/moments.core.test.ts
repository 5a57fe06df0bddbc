import { describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import type { AppExplanation, AskExplanation, PreemptionExplanation } from "../engine/types";
import { Live } from "./live";
import { perform } from "./perform";

const config = "partitions: [{name: default, queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 4}}}, {name: b}]}]}]";

/** A victim, and an ask that waits; times are written by a function. */
const journal = (at: (seconds: number) => string) => [
  { at: at(0), type: "config.set", config },
  { at: at(0), type: "node.add", id: "n1", capacity: { vcore: 4 } },
  { at: at(1), type: "app.add", id: "batch", queue: "root.b" },
  { at: at(1), type: "ask.add", id: "runs", app: "batch", resources: { vcore: 4 }, run: "1h" },
  { at: at(2), type: "app.add", id: "web", queue: "root.a" },
  { at: at(3), type: "ask.add", id: "waits", app: "web", resources: { vcore: 2 } },
  { at: at(9), type: "tick" },
].map((line) => `${JSON.stringify(line)}\n`).join("");

const dated = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds)).toISOString();

describe.skipIf(!hasCore)("times of explanations", () => {
  it.each([["durations", (seconds: number) => `${seconds}s`], ["dates", dated]])("are those of the session in a journal of %s", async (_, at) => {
    const live = new Live();
    const actions = perform(live, () => undefined);
    live.engine = await engineHere();
    expect(await actions.open({ title: "Times", journal: journal(at) })).toBe(true);
    await actions.seekTime(5e9);
    const seconds = (time: number | undefined) => Math.round((time ?? NaN) / 1e6) / 1000;
    const of = async (kind: "ask" | "app", id: string) => await actions.explain({ kind, id });
    expect(seconds((await of("ask", "waits") as AskExplanation).since)).toBe(3);
    const runs = await of("ask", "runs") as AskExplanation;
    expect(seconds(runs.since)).toBe(1);
    expect(seconds(runs.submitted)).toBe(1);
    expect(seconds((await of("app", "web") as AppExplanation).since)).toBe(3); // since it has an ask
    expect(seconds((await actions.dryRun("waits") as PreemptionExplanation).due)).toBe(33); // after the delay of 30s
  });
});
