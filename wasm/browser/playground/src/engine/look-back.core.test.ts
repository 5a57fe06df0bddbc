import { describe, expect, it } from "vitest";

import { drawsFrom } from "../model/draws";
import { randomJournal } from "../model/random.fixture";
import { engineHere, hasCore } from "./here";
import { findsBack, sameMoment } from "./look-back";
import { Session, type Goal } from "./session";
import type { StatusAnswer } from "./types";

/** Where a session is. An instant in which nothing happened need not be begun again. */
function told(now: StatusAnswer): object {
  return { ...now, checkpoints: 0, done: true, earliest: 0, next: now.next !== undefined && now.next > now.now };
}

describe.skipIf(!hasCore)("a look at another moment of a session", () => {
  it("leaves the session where it was, and its decisions as they are", async () => {
    const engine = await engineHere();
    let [looks, early] = [0, 0];
    for (let seed = 1; seed <= 4; seed++) {
      const draw = drawsFrom(seed);
      const journal = randomJournal(seed, 140);
      const [looked, plain] = [await Session.begin(engine, 5e9), await Session.begin(engine, 5e9)];
      for (const session of [looked, plain]) await session.feedAll(journal, () => undefined);
      for (let n = 0; n < 35; n++) {
        const goals: Goal[] = [
          { time: looked.now.now + draw.below(5000) * 1e6 }, { steps: 1 + draw.below(4), unit: "input" }, { steps: 1 + draw.below(20), unit: "decision" },
          { steps: 1, unit: "instant" }, { idle: true },
        ];
        const goal = goals[draw.below(goals.length)] ?? { idle: true };
        const most = 1 + draw.below(30);
        await looked.run(goal, most);
        await plain.run(goal, most);
        const before = await looked.status();
        const seq = draw.below(before.seq + 1);
        const seen = await looked.lookBack(async (at) => (await at.go({ seq })).seq);
        const found = await looked.status();
        expect(seen === undefined, `seed ${seed}, step ${n}: ${JSON.stringify(before)}`).toBe(!findsBack(before));
        if (seen !== undefined) looks++;
        if (found.now < before.now && before.midway) { // in an instant that had brought nothing
          expect([found.seq, found.applied, found.midway]).toEqual([before.seq, before.applied, false]);
          early++;
          continue;
        }
        expect(told(found), `seed ${seed}, step ${n}: ${JSON.stringify(goal)}`).toEqual(told(before));
      }
      await looked.run({ idle: true }, 100_000);
      await plain.run({ idle: true }, 100_000);
      expect((await looked.status()).hash).toBe((await plain.status()).hash);
    }
    expect(looks).toBeGreaterThan(120);
    expect(early).toBeLessThan(looks / 10);
  });

  it("answers what others ask meanwhile about the present", async () => {
    const session = await Session.begin(await engineHere());
    await session.feed(`{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":1}}
{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1}}
`);
    await session.run({ idle: true }, 100);
    const there = session.lookBack(async (at) => {
      await at.go({ time: 0 });
      return at.ask("x");
    });
    const here = session.explain("ask", "x");
    expect(await there).toBeUndefined();
    expect(await here).toMatchObject({ id: "x", node: "n1" });
  });

  it("does not leave a moment that it would not find again", async () => {
    const session = await Session.begin(await engineHere());
    const node = (id: string) => `{"at":"1s","type":"node.add","id":"${id}","capacity":{"vcore":1}}\n`;
    await session.feed(node("n1"));
    await session.run({ time: 2e9 }, 100);
    await session.feed(node("n2").replace("1s", "2s"));
    const before = await session.status();
    expect(await session.lookBack((at) => at.go({ time: 0 }))).toBeUndefined();
    expect(sameMoment(await session.status(), before)).toBe(true);
  });
});
