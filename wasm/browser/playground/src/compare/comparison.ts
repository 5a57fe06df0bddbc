/** The comparison that is under way, and the last one that came to its end. */

import { batch, signal } from "@preact/signals";
import { drafts, setupOf, wordsOf } from "./choices";
import type { Named } from "./export";
import { compare, failureWords, type Outcome, type Progress } from "./run";
import { chosen } from "./workload";

export interface Finished {
  readonly outcome: Outcome;
  readonly names: Named;
}

/** Whether the form is open. It is folded away when there are results. */
export const formOpen = signal(true);
export const running = signal<Progress | undefined>(undefined);
export const finished = signal<Finished | undefined>(undefined);
/** Why there is nothing to show, in words. */
export const trouble = signal("");

let controller = new AbortController();

/** Runs what is chosen, in place of what was compared before. */
export async function runComparison(): Promise<void> {
  if (running.peek()) return;
  trouble.value = "";
  controller = new AbortController();
  running.value = { share: 0, decisions: 0, workload: 1, workloads: 1 };
  try {
    await run(controller.signal);
  } finally {
    running.value = undefined;
  }
}

async function run(stopped: AbortSignal): Promise<void> {
  const [a, b] = [setupOf(drafts.a.value), setupOf(drafts.b.value)];
  const workload = await chosen();
  if (typeof a === "string" || typeof b === "string" || typeof workload === "string") {
    trouble.value = [a, b, workload].find((one) => typeof one === "string") ?? "";
    return;
  }
  const names = { workload: workload.title, generated: workload.generated, a: wordsOf(drafts.a.value), b: wordsOf(drafts.b.value) };
  try {
    const outcome = await compare(workload.scenarios, a, b, { signal: stopped, hear: (progress) => (running.value = progress) });
    batch(() => {
      finished.value = { outcome, names };
      formOpen.value = false;
    });
  } catch (thrown) {
    if (!stopped.aborted) trouble.value = `The comparison ended: ${failureWords(thrown)}`;
  }
}

export function cancelComparison(): void {
  controller.abort();
}
