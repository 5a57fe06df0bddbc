/** The configuration that is being written. It outlives the view. */

import { computed, effect, signal } from "@preact/signals";
import type { Configuration } from "../../model/scenario";
import { Problem, wordsOf } from "../host/api";
import { given } from "../host/token";
import { recent } from "../live";
import { dryRun, put, readHistory, readInForce, validate, type Entry, type InForce, type Trial } from "./host";

/** How long nothing is typed before the draft is tried, in milliseconds. */
const rest = 300;

const nothing: Configuration = { text: "", format: "yaml" };
const same = (a: Configuration, b: Configuration): boolean => a.text === b.text && a.format === b.format;

export const inForce = signal<InForce | undefined>(undefined);
export const history = signal<readonly Entry[]>([]);
/** Why neither could be read. */
export const failure = signal<unknown>(undefined);
/** Whether they have been read. */
export const known = computed(() => inForce.value !== undefined);
/** What stands in the place of both until they have been read. */
export const unknownWords = computed(() => (failure.value === undefined ? "Loading…" : "Not known: the page could not read the configuration."));

/** What the draft was made from: a change of it is refused once another is in force. */
const base = signal<InForce | undefined>(undefined);
export const running = computed(() => base.value?.configuration ?? nothing);
export const draft = signal<Configuration>(nothing);
export const edited = computed(() => !same(draft.value, running.value));
export const comparing = signal(false);

/** What the host says of a draft. */
export interface Tried {
  readonly of: Configuration;
  readonly trial?: Trial;
  readonly problem?: Problem | undefined;
  /** Why it could not be tried. */
  readonly failure?: string;
}
export const tried = signal<Tried | undefined>(undefined);
/** Whether what is known is about the draft as it is. */
export const fresh = computed(() => tried.value?.of === draft.value);

export interface Outcome {
  readonly of: Configuration;
  readonly kind: "applied" | "refused" | "overtaken";
  readonly words: readonly string[];
}
export const outcome = signal<Outcome | undefined>(undefined);
/** Whether another configuration was put in force since the draft was begun. */
export const overtaken = computed(() => inForce.value !== undefined && base.value !== undefined && inForce.value.tag !== base.value.tag);

const applying = signal(false);
export const appliable = computed(() => edited.value && !applying.value && !overtaken.value && fresh.value && tried.value?.trial !== undefined);

/** Keeps up with the host, and has it try the draft as it changes, until the function that it gives is called. */
export function keepUp(): () => void {
  void refresh();
  let seen = recent.peek().at(-1)?.seq ?? 0;
  const changes = recent.subscribe((all) => {
    const news = all.filter((d) => d.seq > seen);
    seen = all.at(-1)?.seq ?? 0;
    if (news.some((d) => d.type === "config.accepted")) void refresh();
  });
  const tokens = given.subscribe((times) => { if (times > 0) void refresh(); });
  const trials = effect(followDraft);
  return () => {
    for (const end of [changes, tokens, trials]) end();
  };
}

/** Reads what is in force. A draft that was not touched follows it. */
export async function refresh(): Promise<void> {
  try {
    const [now, past] = await Promise.all([readInForce(), readHistory()]);
    const untouched = base.peek() === undefined || !edited.peek();
    inForce.value = now;
    history.value = past;
    failure.value = undefined;
    if (untouched || same(draft.peek(), now.configuration)) adopt(untouched ? now.configuration : draft.peek());
  } catch (thrown) {
    failure.value = thrown;
  }
}

/** Takes what is in force as what the draft is compared with, and replaces. */
export function adopt(text: Configuration): void {
  base.value = inForce.peek();
  draft.value = text;
}

function followDraft() {
  const of = draft.value;
  if (base.value === undefined) return undefined;
  const timer = setTimeout(() => {
    void look(of).then((found) => { if (draft.peek() === of) tried.value = found; });
  }, tried.peek() ? rest : 0);
  return () => clearTimeout(timer);
}

async function look(of: Configuration): Promise<Tried> {
  try {
    return { of, trial: await attempt(of) };
  } catch (thrown) {
    return thrown instanceof Problem && thrown.status === 422 ? { of, problem: thrown } : { of, failure: wordsOf(thrown) };
  }
}

/** A dry run; for those who may not change anything, a check. */
async function attempt(of: Configuration): Promise<Trial> {
  try {
    return await dryRun(of);
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.status === 403) return validate(of);
    throw thrown;
  }
}

export async function apply(): Promise<void> {
  const of = draft.peek();
  const from = base.peek();
  if (!appliable.peek() || from === undefined) return;
  applying.value = true;
  try {
    const warnings = await put(of, from.tag);
    outcome.value = { of, kind: "applied", words: warnings };
    comparing.value = false;
  } catch (thrown) {
    const late = thrown instanceof Problem && thrown.status === 412;
    outcome.value = { of, kind: late ? "overtaken" : "refused", words: [wordsOf(thrown)] };
  }
  await refresh();
  applying.value = false;
}
