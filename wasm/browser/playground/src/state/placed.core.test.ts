import { beforeEach, describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import type { Actions } from "./actions";
import { Live } from "./live";
import { perform } from "./perform";
import { frame, recent, status } from "./store";

const config = "partitions: [{nodesortpolicy: {type: binpacking}, queues: [{name: root, queues: [{name: a, resources: {max: {vcore: 7}}}]}]}]";
const journal = [
  { at: "0s", type: "config.set", config },
  { at: "0s", type: "node.add", id: "n1", capacity: { vcore: 4 } },
  { at: "0s", type: "node.add", id: "n2", capacity: { vcore: 4 } },
  { at: "0s", type: "node.add", id: "tiny", capacity: { vcore: 1 } },
  { at: "1s", type: "app.add", id: "web", queue: "root.a" },
  { at: "1s", type: "ask.add", id: "first", app: "web", resources: { vcore: 2 }, run: "1m" },
  { at: "2s", type: "ask.add", id: "second", app: "web", resources: { vcore: 2 }, run: "20s" },
  { at: "3s", type: "ask.add", id: "third", app: "web", resources: { vcore: 3 }, run: "10s" },
  { at: "4s", type: "ask.add", id: "late", app: "web", resources: { vcore: 3 }, run: "10s" },
  { at: "5s", type: "node.drain", id: "n2" },
].map((line) => `${JSON.stringify(line)}\n`).join("");

describe.skipIf(!hasCore)("how an ask came to its node", () => {
  let live: Live;
  let actions: Actions;
  const looked = () => [status.value, frame.value, live.session.now, recent.value.length];

  beforeEach(async () => {
    live = new Live();
    actions = perform(live, () => undefined);
    live.engine = await engineHere();
    expect(await actions.open({ title: "Wait", journal })).toBe(true);
  });

  it("is told by the moment before its placement, and what is shown stays", async () => {
    await actions.seekTime(2e9);
    const before = looked();
    const found = await actions.whyHere("second");
    expect(looked()).toEqual(before);
    expect(found).toMatchObject({ ask: "second", node: "n1", at: 2e9, submitted: 2e9, before: { pending: true, fits: 2, nodePolicy: "binpacking" } });
    expect(found?.before.candidates?.map(({ node, fits, score }) => [node, fits ?? false, score])).toEqual([["n1", true, 0.5], ["n2", true, undefined]]);
    expect(found?.before.nodes).toEqual([{ reason: "too-small", detail: "vcore", nodes: 1 }]);
    expect(await actions.whyHere("late")).toBeUndefined();
  });

  it("is told of an allocation that has ended, with what it waited for in order", async () => {
    await actions.runToEnd();
    expect(actions.model().asks.has("late")).toBe(false);
    const before = looked();
    const found = await actions.whyHere("late");
    expect(found).toMatchObject({ node: "n1", submitted: 4e9, at: 61e9 });
    if (!found) return;
    const waited = await actions.waitedFor(found);
    expect(looked()).toEqual(before);
    expect(waited?.map(({ from, to, e }) => [from / 1e9, to / 1e9, e.reasons])).toEqual([[4, 13, ["headroom", "no-node-fits"]], [13, 61, ["no-node-fits"]]]);
    expect(waited?.[1]?.e.nodes).toEqual(expect.arrayContaining([{ reason: "draining", nodes: 1 }]));
  });

  it("is told of each member of a gang by the moment before all of it was placed", async () => {
    const gang = ["g1", "g2"].map((id) => `${JSON.stringify({ at: "1s", type: "ask.add", id, app: "web", resources: { vcore: 3 }, gang: "g", gang_min: 2 })}\n`).join("");
    expect(await actions.open({ title: "Gang", journal: journal.split("\n").slice(0, 5).join("\n") + `\n${gang}` })).toBe(true);
    await actions.runToEnd();
    for (const id of ["g1", "g2"]) {
      const found = await actions.whyHere(id);
      expect(found?.before).toMatchObject({ pending: true, fits: 2, nodePolicy: "binpacking", atomic: { id: "g" } });
      expect(found?.before.candidates?.map(({ node }) => node)).toEqual(["n1", "n2"]);
    }
  });

  it("is told in a journal with dates, too", async () => {
    const dated = journal.replace(/"at":"(\d)s"/g, '"at":"2026-01-01T00:00:0$1Z"');
    expect(await actions.open({ title: "Dates", journal: dated })).toBe(true);
    await actions.runToEnd();
    const found = await actions.whyHere("late");
    expect(found).toMatchObject({ node: "n1", at: 61e9 });
    expect(Math.abs((found?.submitted ?? 0) - 4e9)).toBeLessThan(1000);
    expect(found && (await actions.waitedFor(found))?.length).toBe(2);
  });
});
