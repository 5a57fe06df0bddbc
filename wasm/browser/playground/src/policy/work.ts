/** Compiles the draft after a pause in typing, and sends the module through the gate and the trial. */

import { computed, signal } from "@preact/signals";
import { Refused } from "../engine/client";
import type { Loaded } from "../engine/types";
import { CompilerEnded, cancelCompiler, compileText } from "./compiler/client";
import type { Compiled } from "./compiler/compile";
import { draft } from "./draft";
import { ofCheck, ofRefusal, ofRemark, type Problem } from "./problems";
import { startTester, type Check, type Tester } from "./tester";

/** A module that passed gate and trial, and the text that it was made of. */
export interface Built {
  readonly text: string;
  readonly compiled: Compiled;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly loaded: Loaded;
  /** How many checks there are. */
  readonly checks: number;
}

type Stage =
  | { readonly is: "idle" }
  | { readonly is: "compiling" | "trying" }
  /** It could not come to a verdict: it was cancelled, took too long, or what it needs could not be loaded. */
  | { readonly is: "ended"; readonly why: string }
  | { readonly is: "refused" }
  | { readonly is: "built"; readonly built: Built };

export const stage = signal<Stage>({ is: "idle" });
/** The text that the problems are those of. */
export const judged = signal<string | undefined>(undefined);
const found = signal<readonly Problem[]>([]);
const failed = signal<readonly Problem[]>([]);
/** Errors before warnings. */
export const problems = computed(() => [...found.value, ...failed.value].sort((a, b) => a.severity.localeCompare(b.severity)));

/** What the checks of the contract came to so far; undefined: they were not asked for. */
export const checked = signal<{ readonly list: readonly Check[]; readonly of: number; readonly ended?: string } | undefined>(undefined);
/** Whether checks are under way. */
export const checking = computed(() => checked.value !== undefined && checked.value.ended === undefined && checked.value.list.length < checked.value.of);

/** The module of the very text that is in the editor; undefined: there is none. */
export const built = computed(() => (stage.value.is === "built" && stage.value.built.text === draft.value ? stage.value.built : undefined));

/** How long nothing is written before the text is compiled, in milliseconds. */
const quiet = 600;
/** How long gate and trial, or one check, may take. The fuel bounds both, so only a slow machine comes near it. */
const longest = 60_000;

let tester: Promise<Tester> | undefined;
let busy = false;
let turn = 0;
/** Lines that the policy wrote since it was opened, or since the last check. */
let lines: string[] = [];

/** Compiles and tries the draft when nothing was written for a while; gives what calls that off. */
export function buildOnceQuiet(): (() => void) | undefined {
  const text = draft.value;
  if (judged.peek() === text) return undefined;
  const timer = setTimeout(() => { void build(); }, judged.peek() === undefined ? 0 : quiet);
  return () => clearTimeout(timer);
}

/** Compiles and tries the draft now. */
export async function build(): Promise<void> {
  const text = draft.peek();
  const mine = ++turn;
  checked.value = undefined;
  stage.value = { is: "compiling" };
  try {
    begunTester().catch(() => undefined); // it is loaded meanwhile; who asks it hears why it is not there
    const compiled = await compileText(text);
    if (mine !== turn) return;
    settle(text, compiled.remarks.map((remark) => ofRemark(remark, text)));
    if (!compiled.module) {
      stage.value = { is: "refused" };
      return;
    }
    stage.value = { is: "trying" };
    await attempt(text, compiled, compiled.module, mine);
  } catch (thrown) {
    if (mine === turn) stage.value = { is: "ended", why: thrown instanceof Error ? thrown.message : String(thrown) };
    if (mine === turn && thrown instanceof CompilerEnded) judged.value = text;
  }
}

function settle(text: string, list: readonly Problem[]): void {
  judged.value = text;
  found.value = list;
  failed.value = [];
}

async function attempt(text: string, compiled: Compiled, bytes: Uint8Array<ArrayBuffer>, mine: number): Promise<void> {
  try {
    const { loaded, checks } = await asking(({ ask }) => ask("open", {}, bytes));
    if (mine === turn) stage.value = { is: "built", built: { text, compiled, bytes, loaded, checks } };
  } catch (thrown) {
    if (mine !== turn) return;
    if (!(thrown instanceof Refused)) throw thrown;
    found.value = [...found.value, ofRefusal(thrown.error, text, compiled, lines)];
    stage.value = { is: "refused" };
  }
}

/** Holds the module to the contract, check by check. */
export async function checkContract(): Promise<void> {
  const now = built.peek();
  if (!now || checking.peek()) return;
  const mine = turn;
  failed.value = [];
  checked.value = { list: [], of: now.checks };
  try {
    await asking(({ ask }) => ask("open", {}, now.bytes)); // a tester that was ended has forgotten it
    for (let index = 0; index < now.checks; index++) {
      const { check } = await asking(({ ask }) => ask("check", { index }));
      if (mine !== turn) return;
      checked.value = { list: [...(checked.peek()?.list ?? []), check], of: now.checks };
      if (check.result === "failed") failed.value = [...failed.peek(), ofCheck(check, now.text, now.compiled, lines)];
    }
  } catch (thrown) {
    if (mine === turn) checked.value = { list: checked.peek()?.list ?? [], of: now.checks, ended: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Ends what is under way, whatever it does. */
export function cancel(): void {
  if (stage.peek().is === "compiling") cancelCompiler();
  stopTester();
}

/** Asks the tester, which is started for it; one that is busy with something older is ended. */
async function asking<Answer>(what: (tester: Tester) => Promise<Answer>): Promise<Answer> {
  if (busy) stopTester();
  const mine = begunTester();
  lines = [];
  busy = true;
  const timer = setTimeout(stopTester, longest);
  try {
    return await what(await mine);
  } catch (thrown) {
    if (!(thrown instanceof Refused) && tester === mine) tester = undefined;
    throw thrown;
  } finally {
    clearTimeout(timer);
    if (tester === mine || tester === undefined) busy = false;
  }
}

/** The tester, which is started where there is none. */
function begunTester(): Promise<Tester> {
  tester ??= startTester((line) => { lines.push(line); });
  return tester;
}

function stopTester(): void {
  void tester?.then((one) => one.stop(), () => undefined);
  tester = undefined;
  busy = false;
}
