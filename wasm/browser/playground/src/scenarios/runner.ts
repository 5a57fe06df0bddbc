/** The runner of features, in a worker of its own that is started when it is first needed. */

import { signal } from "@preact/signals";
import { Refused, type Engine } from "../engine/client";
import { connect } from "../engine/start";
import type { Answers, Heads, ParseError, Sentence } from "./answers";

/** How far the runner is. Share: 0 to 1, NaN where the size is not known. */
type Stage =
  | { readonly is: "absent" }
  | { readonly is: "loading"; readonly share: number; readonly waits?: string }
  | { readonly is: "ready" }
  | { readonly is: "broken"; readonly why: string };
export const stage = signal<Stage>({ is: "absent" });

/** All sentences, once the runner is there. */
export const sentences = signal<readonly Sentence[]>([]);

/** The names of the features that ship with the scheduler, in order, once the runner is there. */
export const shipped = signal<readonly string[]>([]);

/** A text that is no feature. */
export class NoFeature extends Error {
  readonly errors: readonly ParseError[];

  constructor(message: string, errors: readonly ParseError[]) {
    super(message);
    this.errors = errors;
  }
}

let starting: Promise<Engine> | undefined;

/** Loads the runner, unless that was done. A start that failed can be tried again. */
export function load(): Promise<Engine> {
  starting ??= start().catch((thrown: unknown) => {
    starting = undefined;
    stage.value = { is: "broken", why: thrown instanceof Error ? thrown.message : String(thrown) };
    throw thrown;
  });
  return starting;
}

async function start(): Promise<Engine> {
  stage.value = { is: "loading", share: NaN };
  const worker = new Worker(new URL("../engine/worker.ts", import.meta.url), { type: "module" });
  const engine = await connect(worker, new URL("features.wasm.gz", document.baseURI).href, (loaded, total, waits) => {
    stage.value = { is: "loading", share: total > 0 ? loaded / total : NaN, waits };
  });
  engine.onCrash((why) => {
    starting = undefined;
    stage.value = { is: "broken", why: why.message };
  });
  sentences.value = (await ask(engine, "steps", {})).steps;
  shipped.value = (await ask(engine, "shipped", {})).names;
  stage.value = { is: "ready" };
  return engine;
}

/**
 * The text of a feature that ships.
 * @throws what ended the runner
 */
export async function textOf(name: string): Promise<string> {
  return (await ask(await load(), "text", { name })).text;
}

/**
 * Looks at a feature without playing it.
 * @throws NoFeature, or what ended the runner
 */
export async function check(text: string): Promise<Answers["check"]> {
  return ask(await load(), "check", {}, text);
}

/**
 * Plays the scenarios of a feature, or the one that begins in a line.
 * @throws NoFeature, or what ended the runner: also that it was stopped
 */
export async function run(text: string, line?: number): Promise<Answers["run"]> {
  return ask(await load(), "run", line === undefined ? {} : { line }, text);
}

/** Ends what is played, however long it would take, and starts the runner again. */
export async function stop(): Promise<void> {
  const engine = await starting;
  starting = undefined;
  engine?.stop();
  await load().catch(() => undefined); // the stage tells
}

async function ask<Op extends keyof Answers>(engine: Engine, op: Op, head: Heads[Op], body?: string): Promise<Answers[Op]> {
  // The worker and its client are those of the scheduler; only the operations are others.
  const request = engine.request.bind(engine) as unknown as (op: Op, head: Heads[Op], body?: string) => Promise<{ answer: Answers[Op] }>;
  try {
    return (await request(op, head, body)).answer;
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    throw new NoFeature(thrown.message, (thrown.error as { errors?: readonly ParseError[] }).errors ?? []);
  }
}
