import { describe, expect, it } from "vitest";

import { drawsFrom } from "../model/draws";
import { engineHere, hasCore } from "./here";
import { Journal } from "./journal";
import { Session } from "./session";

describe("the page's own journal", () => {
  it("holds the inputs of a text, without comments, empty lines and the header", () => {
    const journal = new Journal();
    journal.insert('{"type":"journal","version":1}\n\n# no\n  {"at":"0s","type":"tick"}\r\n', [{ from: 0, lines: 1 }]);
    expect(journal.text()).toBe('{"type":"journal","version":1}\n{"at":"0s","type":"tick"}\n');
  });

  it("puts lines where the scheduler put them", () => {
    const journal = new Journal();
    journal.insert("a\nd", [{ from: 0, lines: 2 }]);
    journal.insert("b\nc\ne", [{ from: 1, lines: 2 }, { from: 4, lines: 1 }]);
    expect(journal.text().split("\n").slice(1, -1)).toEqual(["a", "b", "c", "d", "e"]);
    journal.cut(2, "B");
    expect(journal.text().split("\n").slice(1, -1)).toEqual(["a", "B"]);
  });

  it.skipIf(!hasCore)("is that of the core, whatever is fed, played and cut", async () => {
    const engine = await engineHere();
    const draw = drawsFrom(5);
    const session = await Session.begin(engine);
    await session.feed('{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":4}}\n{"at":"0s","type":"app.add","id":"a","queue":"root.default"}');
    for (let i = 0; i < 150; i++) {
      const at = session.now.earliest + draw.below(5) * 1e9;
      const line = draw.below(3) === 0 ? { type: "tick" } : { type: "ask.add", id: `k${i}`, app: "a", resources: { vcore: 1 }, count: 3 };
      await session.feed(`{"at":"${at}ns",${JSON.stringify(line).slice(1)}\n{"at":"${at + 1e9}ns","type":"tick"}\n`);
      if (draw.below(3) === 0) await session.run({ steps: 1, unit: "input" }, 100);
      if (draw.below(10) === 0) await session.seek({ seq: Math.max(0, session.now.seq - 2) }, 100);
      if (draw.below(6) === 0) await session.truncate();
    }
    const { body } = await engine.request("session.journal", { id: 1, what: "journal" });
    const canon = async (text: string): Promise<string> => {
      const other = await Session.begin(engine);
      if (text) await other.feed(text);
      await other.run({ idle: true }, 100_000);
      return (await other.status()).hash ?? "";
    };
    const theirs = new TextDecoder().decode(body);
    expect(session.journal.length).toBe((await session.status()).lines);
    expect(session.journal.text().split("\n").length).toBe(theirs.split("\n").length);
    expect(await canon(session.journal.text())).toBe(await canon(theirs));
  });
});
