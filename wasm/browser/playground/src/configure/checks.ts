/** What the scheduler says of the draft, and of what runs. */

import { computed, effect, signal } from "@preact/signals";
import { Refused } from "../engine/client";
import type { CheckAnswer, Config } from "../engine/types";
import type { Configuration } from "../model/scenario";
import { engine } from "../state/run";
import { modules, phase } from "../state/store";
import { changes, type Change } from "./changes";
import { draft, running } from "./draft";
import type { Keys } from "./keys";

/** How long nothing is typed before the draft is checked, in milliseconds. */
const rest = 200;

export interface Checked {
  readonly of: Configuration;
  /** Undefined: the scheduler would not read it, for the reason in refusal. */
  readonly answer?: CheckAnswer;
  readonly refusal?: string;
}

export const keys = signal<Keys>([]);
/** The last that was heard of a draft: mind that it may be older than the draft. */
export const checked = signal<Checked | undefined>(undefined);
/** The last draft that had no error. */
export const sound = signal<Config | undefined>(undefined);
export const runs = signal<Config | undefined>(undefined);

/** What the draft would change, as of its last form without errors. */
export const pending = computed<readonly Change[]>(() => (runs.value && sound.value ? changes(runs.value, sound.value) : []));

/** Whether what is known is about the draft as it is. */
export const fresh = computed(() => checked.value?.of === draft.value);
/** Whether the last check found errors, so that what else is known is about an older draft. */
export const broken = computed(() => checked.value !== undefined && checked.value.answer?.configuration === undefined);

// A module that comes or goes can make another text right.
const toFollow = computed(() => ({ of: running.value, beside: modules.value }));
const toCheck = computed(() => ({ of: draft.value, beside: modules.value }));

/** Reads a text without applying it. Undefined: the scheduler is gone, which the page says elsewhere. */
export async function check(of: Configuration): Promise<Checked | undefined> {
  try {
    const { answer } = await engine().request("check", { format: of.format, file: "configuration" }, of.text);
    return { of, answer };
  } catch (error) {
    return error instanceof Refused ? { of, refusal: error.message } : undefined;
  }
}

/** Checks the draft as it changes, until the function that it gives is called. */
export function keepChecking(): () => void {
  const ends = [effect(learnKeys), effect(followRunning), effect(followDraft)];
  return () => ends.forEach((end) => end());
}

function learnKeys() {
  if (phase.value !== "ready" || keys.peek().length > 0) return;
  engine().request("keys", {}).then(({ answer }) => (keys.value = answer.keys), () => undefined);
}

function followRunning() {
  const { of } = toFollow.value;
  if (phase.value !== "ready") return;
  void check(of).then((found) => {
    if (running.peek() === of) runs.value = found?.answer?.configuration;
  });
}

function followDraft() {
  const { of } = toCheck.value;
  if (phase.value !== "ready") return undefined;
  const wait = checked.peek() ? rest : 0;
  const timer = setTimeout(() => {
    void check(of).then((found) => {
      if (!found || draft.peek() !== of) return;
      checked.value = found;
      sound.value = found.answer?.configuration ?? sound.peek();
    });
  }, wait);
  return () => clearTimeout(timer);
}
