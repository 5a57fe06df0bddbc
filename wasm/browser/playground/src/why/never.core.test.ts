import { describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import { Session } from "../engine/session";
import type { AskExplanation } from "../engine/types";
import { never } from "./never";

const asks = {
  huge: { resources: { vcore: 20 } },
  gpu: { resources: { "nvidia.com/gpu": 1 } },
  both: { resources: { vcore: 8, memory: "16Gi" } },
  zoned: { resources: { vcore: 6 }, constraints: { zone: ["b"] } },
  bound: { resources: { vcore: 6 }, node: "n2" },
  runs: { resources: { vcore: 8 } },
  fine: { resources: { vcore: 8 } },
};
const config = "partitions: [{name: default, queues: [{name: root, queues: [{name: a, resources: {max: {vcore: 16}}}]}]}]";
const journal = [
  { type: "config.set", at: "0s", config },
  { type: "node.add", at: "0s", id: "n1", capacity: { vcore: 8, memory: "4Gi" }, attributes: { zone: "a" } },
  { type: "node.add", at: "0s", id: "n2", capacity: { vcore: 4, memory: "16Gi" }, attributes: { zone: "b" } },
  { type: "app.add", at: "0s", id: "app", queue: "root.a" },
  ...Object.entries(asks).map(([id, ask]) => ({ type: "ask.add", at: "0s", id, app: "app", ...ask })),
].map((line) => `${JSON.stringify(line)}\n`).join("");

describe.skipIf(!hasCore)("what the scheduler says of asks that can never run", () => {
  it.each([
    ["huge", ["it asks for 20 vcore, and the max of root.a is 16", "it asks for 20 vcore, and the largest node has 8"]],
    ["gpu", ["it asks for 1 nvidia.com/gpu, and no node has any"]],
    ["both", ["no node has enough of all types at once, even when empty"]],
    ["zoned", ["it asks for 6 vcore, and the largest node that it may go to has 4"]],
    ["bound", ["it asks for 6 vcore, and the largest node that it may go to has 4"]],
    ["fine", undefined],
  ])("is put in words: %s", async (id, because) => {
    const session = await Session.begin(await engineHere(), 0);
    await session.feedAll(journal, () => undefined);
    await session.run({ idle: true }, 100_000);
    const e = await session.explain("ask", id) as AskExplanation;
    expect(e.pending).toBe(true);
    expect(never(e)?.because).toEqual(because);
  });
});
