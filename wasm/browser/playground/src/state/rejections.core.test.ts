import { expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import { Live } from "./live";
import { perform } from "./perform";

const journal = [
  { at: "0s", type: "node.add", id: "n1", capacity: { vcore: 4 } },
  { at: "1s", type: "app.add", id: "a", queue: "root.nowhere" },
  { at: "2s", type: "ask.add", id: "x", app: "a", resources: { vcore: 1 } },
  { at: "3s", type: "node.add", id: "n1", capacity: { vcore: 4 } },
  { at: "4s", type: "ask.remove", id: "ghost" },
].map((line) => `${JSON.stringify(line)}\n`).join("");

it.skipIf(!hasCore)("rejections are counted up to the moment that is shown, and not twice", async () => {
  const live = new Live();
  const actions = perform(live, () => undefined);
  live.engine = await engineHere();
  expect(await actions.open({ title: "Rejections", journal })).toBe(true);
  const told = () => actions.rejections().map(({ type, reason, count, example }) => `${type} ${reason} ${count} ${example}`);
  expect(told()).toEqual([]);
  await actions.seekTime(5e9);
  const all = ["node.rejected duplicate 1 n1", "app.rejected unknown-queue 1 a", "ask.rejected unknown-application 1 x", "ignored unknown-ask 1 ghost"];
  expect(told()).toEqual(all);
  await actions.seekTime(2e9);
  expect(told()).toEqual(all.slice(1, 3));
  await actions.seekTime(5e9);
  expect(told()).toEqual(all);
});
