/** The policy modules that were brought to the page: each goes through the gate and its trial in a scheduler set apart. */

import { signal } from "@preact/signals";
import { Refused, type Engine } from "../engine/client";
import type { ModuleManifest } from "../engine/modules";
import { startEngine } from "../engine/start";
import type { RpcError, Heads, Loaded } from "../engine/types";
import type { Module } from "../model/scenario";
import { readTexts, type Texts } from "./parameters";

export type Limits = NonNullable<Heads["policy.load"]["limits"]>;

export interface Candidate {
  /** What configurations call it. */
  readonly name: string;
  readonly file: string;
  /** Of the file as it was brought. */
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly limits: Limits;
  /** What was put in for its parameters. */
  readonly texts: Texts;
  readonly result: Result;
}

type Result =
  | { readonly kind: "trying" }
  | { readonly kind: "passed"; readonly loaded: Loaded }
  | { readonly kind: "refused"; readonly error: RpcError }
  /** It took too long, was stopped, or ended the scheduler. */
  | { readonly kind: "ended"; readonly why: string };

export type Passed = Candidate & { readonly result: Extract<Result, { kind: "passed" }> };

/** In the order in which they came. */
export const candidates = signal<readonly Candidate[]>([]);

/** How long gate, compiler and trial may take. The gate bounds what a module can cost, so only a slow machine comes near it. */
const longest = 30_000;
/** Files beyond this many bytes are not even read; the gate takes far less. */
const mostRead = 16 << 20;

export function hasPassed(candidate: Candidate): candidate is Passed {
  return candidate.result.kind === "passed";
}

export function manifestOf(candidate: Passed): ModuleManifest {
  return candidate.result.loaded.manifest as ModuleManifest;
}

/** A module as it is given to a scheduler; undefined: a parameter is wrong. */
export function moduleOf(candidate: Passed): Module | undefined {
  const { values, wrong } = readTexts(manifestOf(candidate).parameters ?? {}, candidate.texts);
  return Object.keys(wrong).length > 0 ? undefined : { name: candidate.name, bytes: candidate.bytes, parameters: values, limits: candidate.limits };
}

/** Examines a file; one of the same name that was there before goes. */
export async function examine(file: File): Promise<void> {
  const large = file.size > mostRead;
  const read = large ? new ArrayBuffer() : await file.arrayBuffer().catch(() => undefined); // a folder, or a file that has gone
  const bytes = new Uint8Array(read ?? []);
  const candidate: Candidate = { name: nameOf(file.name), file: file.name, size: file.size, bytes, limits: {}, texts: {}, result: { kind: "trying" } };
  candidates.value = [...candidates.value.filter(({ name }) => name !== candidate.name), candidate];
  if (large) settle(candidate.name, { kind: "refused", error: { code: "bad-module", reason: "too-large", message: `expected at most 8,388,608 bytes, found ${file.size.toLocaleString("en-GB")}` } });
  else if (!read) settle(candidate.name, { kind: "ended", why: "The browser cannot read it" });
  else await attempt(candidate);
}

/** Has a module tried once more, with other limits. */
export async function examineAgain(candidate: Candidate, limits: Limits): Promise<void> {
  change(candidate.name, { limits, result: { kind: "trying" } });
  await attempt({ ...candidate, limits });
}

export function setText(name: string, parameter: string, text: string): void {
  const candidate = candidates.value.find((one) => one.name === name);
  if (candidate) change(name, { texts: { ...candidate.texts, [parameter]: text } });
}

export function remove(name: string): void {
  candidates.value = candidates.value.filter((one) => one.name !== name);
}

/** Configurations name a module as its file is called. */
function nameOf(file: string): string {
  return file.replace(/\.wasm(\.gz)?$/i, "").toLowerCase().replace(/[^a-z0-9._-]/g, "-").replace(/^[^a-z0-9]+/, "") || "module";
}

function change(name: string, to: Partial<Candidate>): void {
  candidates.value = candidates.value.map((one) => (one.name === name ? { ...one, ...to } : one));
}

function settle(name: string, result: Result): void {
  change(name, { result });
}

let scratch: Promise<Engine> | undefined;
let last: Promise<void> = Promise.resolve();
/** Ends what is being tried. */
let halt: (why: string) => void = () => undefined;

/** A scheduler that nothing depends on. */
function apart(): Promise<Engine> {
  scratch ??= startEngine();
  return scratch;
}

/** Gives up what is being tried, for a reason in words. */
export function stopTrying(why = "It was stopped"): void {
  halt(why);
  void scratch?.then((engine) => engine.stop(), () => undefined);
  scratch = undefined;
}

/** Gives back what the scheduler set apart holds, where nothing is being tried. */
export function rest(): void {
  if (!candidates.value.some(({ result }) => result.kind === "trying")) stopTrying();
}

/** One after the other, so that one that is slow does not use up the time of another. */
function attempt(candidate: Candidate): Promise<void> {
  last = last.then(async () => settle(candidate.name, await tried(candidate)));
  return last;
}

async function tried(candidate: Candidate): Promise<Result> {
  const halted = new Promise<Result>((resolve) => {
    halt = (why) => resolve({ kind: "ended", why });
  });
  const timer = setTimeout(() => stopTrying(`The gate and the trial took longer than ${longest / 1000} seconds`), longest);
  try {
    return await Promise.race([loaded(candidate), halted]);
  } finally {
    clearTimeout(timer);
  }
}

async function loaded({ name, bytes, limits }: Candidate): Promise<Result> {
  const starting = apart();
  try {
    const engine = await starting;
    const { answer } = await engine.request("policy.load", { name, limits }, bytes);
    return { kind: "passed", loaded: answer };
  } catch (thrown) {
    if (thrown instanceof Refused) return { kind: "refused", error: thrown.error };
    if (scratch === starting) scratch = undefined;
    return { kind: "ended", why: `Its trial failed: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}
