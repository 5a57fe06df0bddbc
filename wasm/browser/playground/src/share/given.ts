/** What the program that serves the page was given to open it with: `quern playground FILE`. */

import type { Scenario } from "../model/scenario";
import { actions } from "../state/run";
import { fromFile } from "./journal";

const parameter = "given";
const file = "given.jsonl";

/** The scenario that was given; undefined: the address asks for none, or it cannot be had, which the page then says. */
export async function fromServer(hash: string): Promise<Scenario | undefined> {
  if (!new URLSearchParams(hash.slice(1)).has(parameter)) return undefined;
  const answer = await fetch(file).catch(() => undefined);
  if (answer?.ok) return fromFile(file, await answer.text());
  actions.say("error", `This address opens the files given to quern playground, and the server has none (${answer ? `status ${answer.status}` : "it does not answer"}).`);
  return undefined;
}
