import { expect, it } from "vitest";
import type { Input } from "../model/lines";
import { phrasesOf } from "./phrases";

const said = (input: Input) => phrasesOf([input], new Set()).map(({ text }) => text);
const update = { type: "ask.update", at: "0s", id: "x" } as const;

it("says each change of an ask in a sentence that scenarios have", () => {
  expect(said({ ...update, priority: 5 })).toEqual(['ask "x" now has priority 5']);
  expect(said({ ...update, resources: { vcore: 2 }, priority: 5 })).toEqual(['ask "x" now needs 2 vcore and has priority 5']);
  expect(said({ ...update, preemptable: false })).toEqual(['"x" now asks not to be preempted']);
  expect(said({ ...update, preemptable: true })).toEqual(['"x" may be preempted again']);
  expect(said({ ...update, resources: { vcore: 2 }, preemptable: false })).toEqual(['ask "x" now needs 2 vcore', '"x" now asks not to be preempted']);
});
