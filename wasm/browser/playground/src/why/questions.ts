/** Questions to the scheduler, each with the answer that belongs to it; undefined: it knows nothing of this name now. */

import type { AppExplanation, AskExplanation, PreemptionExplanation, QueueExplanation } from "../engine/types";
import { actions } from "../state/run";

export async function explainAsk(id: string): Promise<AskExplanation | undefined> {
  return await actions.explain({ kind: "ask", id }) as AskExplanation | undefined;
}

export async function explainApp(id: string): Promise<AppExplanation | undefined> {
  return await actions.explain({ kind: "app", id }) as AppExplanation | undefined;
}

export async function explainQueue(id: string): Promise<QueueExplanation | undefined> {
  return await actions.explain({ kind: "queue", id });
}

export async function explainPreemption(ask: string): Promise<PreemptionExplanation | undefined> {
  return await actions.dryRun(ask) as PreemptionExplanation | undefined;
}
