/** Inputs that were rejected or had no effect, counted by decision and reason, as summaries of the command line count them. */

import type { Decision } from "../engine/types";

export interface Rejection {
  readonly type: string;
  readonly reason: string;
  readonly count: number;
  /** The ID of the first. */
  readonly example: string;
}

/** By type of the decision, in the order in which they are listed. */
export const rejected: ReadonlyMap<string, string> = new Map([
  ["node.rejected", "Nodes rejected"], ["app.rejected", "Applications rejected"], ["ask.rejected", "Asks rejected"], ["ignored", "Inputs ignored"],
]);

export type Rejecting = Pick<Decision, "type" | "reason" | "id">;

export class Rejections {
  private readonly byKey = new Map<string, Rejection>();

  add({ type, reason = "", id = "" }: Rejecting): void {
    if (!rejected.has(type)) return;
    const key = `${type} ${reason}`;
    const { count, example } = this.byKey.get(key) ?? { count: 0, example: id };
    this.byKey.set(key, { type, reason, count: count + 1, example });
  }

  /** Asks after nodes and applications, and the most frequent reasons first. */
  sorted(): readonly Rejection[] {
    const types = [...rejected.keys()];
    return [...this.byKey.values()].sort((a, b) => types.indexOf(a.type) - types.indexOf(b.type) || b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}
