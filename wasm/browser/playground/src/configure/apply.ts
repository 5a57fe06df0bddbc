/** Applies the draft, all of it or nothing, and reports the result. */

import { computed, signal } from "@preact/signals";
import type { Decision } from "../engine/types";
import type { Configuration } from "../model/scenario";
import { actions } from "../state/run";
import { notices, recent, status } from "../state/store";
import { broken, check, checked, fresh } from "./checks";
import { draft, edited } from "./draft";

export interface Outcome {
  readonly of: Configuration;
  readonly accepted: boolean;
  /** Warnings, errors, and queues that drain: one line each. */
  readonly words: readonly string[];
}

/** What came of the last draft that was applied. */
export const outcome = signal<Outcome | undefined>(undefined);
const applying = signal(false);

/** Whether there is something to apply, and nothing known to be wrong with it. */
export const appliable = computed(() => edited.value && checked.value !== undefined && !broken.value && !applying.value);

export async function apply(): Promise<void> {
  if (!appliable.peek()) return;
  const of = draft.peek();
  applying.value = true;
  // What was typed a moment ago was not checked yet; if it has errors, they are about to show.
  const sound = fresh.peek() || (await check(of))?.answer?.configuration !== undefined;
  if (sound) outcome.value = await reload(of);
  applying.value = false;
}

async function reload(of: Configuration): Promise<Outcome> {
  const before = status.peek()?.seq ?? 0;
  const said = notices.peek();
  const taken = await actions.reload(of);
  const heard = recent.peek().filter((d) => d.seq > before);
  const answer = heard.find((d) => d.type === "config.accepted" || d.type === "config.rejected");
  if (!answer) return { of, accepted: taken, words: refusal(taken) };
  // It is told in place; a notice would say it twice.
  notices.value = said;
  return { of, accepted: answer.type === "config.accepted", words: words(answer, heard) };
}

function words(answer: Decision, heard: readonly Decision[]): readonly string[] {
  const draining = heard.filter((d) => d.type === "queue.state" && d.to === "draining").map((d) => `${d.queue ?? ""} drains: its applications continue, and it accepts no new ones.`);
  return [...(answer.errors ?? []), ...(answer.warnings ?? []), ...draining];
}

/** Where there is no decision to read from, the page said why. */
function refusal(taken: boolean): readonly string[] {
  const last = notices.peek().at(-1);
  return taken || !last ? [] : [last.text];
}
