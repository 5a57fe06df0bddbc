/** The gate, the trial and the checks of the contract (wasm/browser/policytest), in a worker that is started when it is wanted. */

import type { Engine, Progress } from "../engine/client";
import { connect } from "../engine/start";
import type { Loaded } from "../engine/types";

/** One check of the contract, as `quern policy test` names it. */
export interface Check {
  readonly group: string;
  readonly check: string;
  readonly result: "ok" | "failed" | "skipped";
  readonly expected?: string;
  readonly found?: string;
  readonly note?: string;
}

export interface TesterHeads {
  open: { readonly name?: string };
  check: { readonly index: number };
}

export interface TesterAnswers {
  /** A module that passed gate and trial, and how many checks there are. */
  open: { readonly loaded: Loaded; readonly checks: number };
  check: { readonly check: Check };
}

/** Asks the tester. A module that is refused throws Refused. */
export type AskTester = <Op extends keyof TesterHeads>(op: Op, head: TesterHeads[Op], body?: Uint8Array) => Promise<TesterAnswers[Op]>;

export interface Tester {
  readonly ask: AskTester;
  /** Ends it, whatever it does. */
  stop(): void;
}

/** Starts a tester. Lines that the policy writes go to hear. */
export async function startTester(hear: (line: string) => void, progress: Progress = () => undefined): Promise<Tester> {
  const worker = new Worker(new URL("../engine/worker.ts", import.meta.url), { type: "module" });
  return testerOf(await connect(worker, new URL("later/policytest.wasm.gz", document.baseURI).href, progress), hear);
}

/** What is behind the engine is the tester: the worker and its client are those of the scheduler, only the operations are others. */
export function testerOf(engine: Engine, hear: (line: string) => void): Tester {
  engine.onLog(hear);
  const request = engine.request.bind(engine) as unknown as (op: string, head: object, body?: Uint8Array) => Promise<{ answer: unknown }>;
  const ask: AskTester = async (op, head, body) => (await request(op, head, body)).answer as TesterAnswers[typeof op];
  return { ask, stop: () => engine.stop() };
}
