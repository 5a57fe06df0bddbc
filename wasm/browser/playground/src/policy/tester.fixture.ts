/** The tester of policies itself, in this process, for tests. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { channelTo } from "../engine/here";
import { instantiate } from "../engine/reactor";
import { connect } from "../engine/start";
import { testerOf, type Tester } from "./tester";

const file = process.env.QUERN_POLICYTEST ?? fileURLToPath(new URL("../../../../../build/policytest.wasm", import.meta.url));

export const testerIsBuilt = existsSync(file);

let compiled: Promise<WebAssembly.Module> | undefined;

/** Starts a tester; lines that the policy writes go to hear. */
export async function testerHere(hear: (line: string) => void): Promise<Tester> {
  compiled ??= WebAssembly.compile(readFileSync(file));
  const module = await compiled;
  return testerOf(await connect(channelTo((heard) => instantiate(module, heard)), ""), hear);
}
