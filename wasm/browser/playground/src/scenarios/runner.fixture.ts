/** The runner of features itself, for tests. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { instantiate } from "../engine/reactor";
import { decode, encode } from "../engine/message";
import type { Answers, Heads } from "./answers";

const file = process.env.QUERN_FEATURES ?? fileURLToPath(new URL("../../../../../build/features.wasm", import.meta.url));

export const runnerIsBuilt = existsSync(file);

export type Ask = <Op extends keyof Answers>(op: Op, head: Heads[Op], text?: string) => Answers[Op];

/** Starts a runner, and gives what asks it. What is refused throws, and what it writes ends the test. */
export async function startRunner(): Promise<Ask> {
  const call = await instantiate(await WebAssembly.compile(readFileSync(file)), (line) => { throw new Error(line); });
  return (op, head, text) => decode(call(encode(op, head, text))).answer as Answers[typeof op];
}
