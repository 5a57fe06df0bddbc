import type { Goal, Share } from "../engine/session";
import type { StatusAnswer } from "../engine/types";
import { progress } from "./store";

/** Shows how far some work has come while it is done. */
export async function shown<T>(what: string, work: (share: Share) => Promise<T>): Promise<T> {
  try {
    return await work((share) => { progress.value = { share, what }; });
  } finally {
    progress.value = undefined;
  }
}

/** How far a session has come on the way to a goal, 0 to 1. */
export function partOf(goal: Goal, now: StatusAnswer): number {
  const byInputs = now.entries > 0 ? now.applied / now.entries : 1;
  return goal.time ? Math.min(1, Math.max(now.now / goal.time, byInputs)) : byInputs;
}
