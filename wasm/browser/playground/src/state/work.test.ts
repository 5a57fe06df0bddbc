import { beforeEach, describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import type { Actions } from "./actions";
import { Live } from "./live";
import { perform } from "./perform";
import { configuration, edits, notices, queues, redoable, run, status, title, undoable, unsaved } from "./store";

const config = "partitions: [{queues: [{name: root, queues: [{name: a}, {name: b}]}]}]";
const journal = `{"type":"journal","version":1}
{"at":"0s","type":"config.set","config":"${config}"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4,"memory":"8Gi"}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4,"memory":"8Gi"}}
{"at":"1s","type":"app.add","id":"web","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"w","app":"web","resources":{"vcore":2},"run":"10s","count":6}
{"at":"5s","type":"app.add","id":"batch","queue":"root.b"}
`;

describe.skipIf(!hasCore)("what is done by hand", () => {
  let live: Live;
  let actions: Actions;
  const never = () => undefined;

  beforeEach(async () => {
    live = new Live();
    actions = perform(live, never);
    live.engine = await engineHere();
    notices.value = [];
    expect(await actions.open({ title: "Two nodes", journal })).toBe(true);
  });

  it("is undone and redone at the moment at which it was done", async () => {
    await actions.seekTime(2e9);
    const before = { journal: await actions.journal(), decisions: await actions.decisions() };
    expect(await actions.feed([{ type: "node.add", id: "n3", capacity: { vcore: 4 } }])).toBe(true);
    const after = { journal: await actions.journal(), decisions: await actions.decisions() };
    expect([undoable.value, edits.value, unsaved.value]).toEqual(["add node n3", 1, true]);
    await actions.seekTime(8e9);

    await actions.undo();
    expect({ journal: await actions.journal(), decisions: await actions.decisions() }).toEqual(before);
    expect([...actions.model().nodes.keys()]).toEqual(["n1", "n2"]);
    expect([status.value?.now, edits.value, unsaved.value, redoable.value]).toEqual([2e9, 0, false, "add node n3"]);

    await actions.redo();
    expect(status.value?.now).toBe(8e9);
    await actions.seekTime(2e9);
    expect({ journal: await actions.journal(), decisions: await actions.decisions() }).toEqual(after);
    expect([...actions.model().nodes.keys()]).toEqual(["n1", "n2", "n3"]);
    expect(edits.value).toBe(1);
  });

  it("is undone in the middle of an instant as well", async () => {
    await actions.seekTime(9e8);
    await actions.step("input");
    const { midway, seq } = status.value ?? {};
    expect(midway).toBe(true);
    await actions.feed([{ type: "node.drain", id: "n1" }]);
    await actions.undo();
    expect(status.value).toMatchObject({ midway: true, seq });
  });

  it("may be forgotten inputs, a change of the configuration or an opening", async () => {
    await actions.seekTime(1e9);
    const whole = await actions.journal();
    await actions.cutHere();
    expect(await actions.journal()).not.toBe(whole);
    await actions.reload({ text: "partitions: [{queues: [{name: root, queues: [{name: a}, {name: c}]}]}]", format: "yaml" });
    expect(queues.value.map(({ path }) => path)).toContain("root.c");
    await actions.open({ title: "Another", journal: "" });
    expect([title.value, undoable.value]).toEqual(["Another", "open “Another”"]);

    await actions.undo();
    expect([title.value, undoable.value]).toEqual(["Two nodes", "change the configuration"]);
    expect(queues.value.map(({ path }) => path)).toContain("root.c");
    await actions.undo();
    expect(queues.value.map(({ path }) => path)).not.toContain("root.c");
    await actions.undo();
    expect(await actions.journal()).toBe(whole);
    expect(configuration.value?.text).toBe(config);
  });

  it("is nothing where an input was refused, and says when nothing is left to undo", async () => {
    const fresh = perform(live, never);
    await fresh.feed([{ type: "node.remove", id: "nowhere" }]);
    await fresh.undo();
    expect(notices.value.at(-1)?.text).toBe("There is nothing to undo.");
    await fresh.redo();
    expect(notices.value.at(-1)?.text).toBe("There is nothing to redo.");
  });

  it("knows a run that another one replaced, and goes back to it", async () => {
    const first = run.value;
    await actions.seekTime(3e9);
    await actions.feed([{ type: "node.drain", id: "n1" }]);
    await actions.open({ title: "Another", journal: "" });
    const left = actions.leftBehind(first);
    expect(left).toMatchObject({ title: "Two nodes", now: 3e9 + 1, edits: 1 }); // it happened as soon as it could
    if (left) await actions.resume(left);
    expect([run.value, title.value, edits.value, status.value?.now]).toEqual([first, "Two nodes", 1, 3e9 + 1]);
    expect(actions.leftBehind("unknown")).toBeUndefined();
  });

  it("opens nothing where the user keeps what runs", async () => {
    const asked: string[] = [];
    const careful = perform(live, never, (name) => {
      asked.push(name);
      return Promise.resolve(false);
    });
    expect(await careful.open({ title: "Another", journal: "" })).toBe(false);
    expect([asked, title.value]).toEqual([["Another"], "Two nodes"]);
  });
});
