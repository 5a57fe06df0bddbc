/** What the scheduler knows of the time to come, in the times of the session. */

import type { Decision, PromisesAnswer, WindowAnswer } from "../engine/types";
import { shownPath } from "../model/paths";
import type { Times } from "../model/times";
import type { Ahead } from "./shapes";

/** Why the starts of plans are as they are: what was told last of each. */
export class PlanReasons {
  private readonly told = new Map<string, { readonly start: number; readonly reason: string }>();

  follow({ type, id = "", start, reason = "" }: Decision, times: Times): void {
    if (type === "plan" && start !== undefined) this.told.set(id, { start: times.of(start), reason });
    else if (type === "plan" || type === "allocation") this.told.delete(id);
  }

  /** "": nothing was told of this start. */
  of(id: string, start: number): string {
    const known = this.told.get(id);
    return known && Math.abs(known.start - start) < 1000 ? known.reason : ""; // the state tells absolute times less exactly
  }
}

export function aheadOf({ ends, plans, windows }: PromisesAnswer, times: Times, reasons: PlanReasons): Ahead {
  const at = (time: number) => times.ofState(time);
  return {
    ends: new Map(ends.map((one) => [one.id, at(one.ends)])),
    plans: plans.map(({ id, node, start, ends: until }) => ({ ask: id, node, start: at(start), ends: until === undefined ? undefined : at(until), reason: reasons.of(id, at(start)) })),
    windows: windows.map((one) => ({
      window: one.id, open: one.open ?? false, from: at(one.from), until: one.until === undefined ? undefined : at(one.until), every: one.every, nodes: one.nodes, names: namesOf(one),
    })),
  };
}

/** Whom a window names. */
function namesOf({ partition, queues = [], users = [], groups = [] }: WindowAnswer): string {
  return [...queues.map((name) => `queue ${shownPath(partition, name)}`), ...users.map((name) => `user ${name}`), ...groups.map((name) => `group ${name}`)].join(", ");
}
