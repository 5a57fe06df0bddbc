/** Looking at another moment of a session that is then where it was before. */

import type { Engine } from "./client";
import type { AskExplanation, StatusAnswer } from "./types";

/** A decision, or a time, after which a session is looked at. */
export type Moment = { readonly seq: number } | { readonly time: number };

/** A session while it is at another moment than the one that is shown. */
export interface Elsewhere {
  /** Goes to the moment right after a decision, or to the end of the instants up to a time. */
  go(to: Moment): Promise<StatusAnswer>;
  /**
   * Goes to right before a decision, with all inputs that came before it: where it was made together with others, before all of
   * these. False: it does not come there.
   */
  goBefore(seq: number): Promise<boolean>;
  /** An ask as it stands there; undefined: it is not there. */
  ask(id: string): Promise<AskExplanation | undefined>;
}

const most = 20_000; // decisions of a request
const mostTogether = 500; // decisions that are made together

/**
 * Whether a session finds the way back to a moment: not where inputs are still to come at the very time that it has reached,
 * since other inputs of that time may have happened.
 */
export function findsBack({ midway, next, now, closed }: StatusAnswer): boolean {
  return !closed && (midway || next === undefined || next > now);
}

/** A look at a session. No other code may use the session until it is back. */
export class LookBack implements Elsewhere {
  private readonly engine: Engine;
  private readonly id: number;

  constructor(engine: Engine, id: number) {
    this.engine = engine;
    this.id = id;
  }

  async go(to: Moment): Promise<StatusAnswer> {
    for (;;) {
      const { answer } = await this.engine.request("session.seek", { id: this.id, ...to, most });
      if (answer.done) return answer;
    }
  }

  async goBefore(seq: number): Promise<boolean> {
    const { applied } = await this.go({ seq });
    for (let to = seq - 1; to >= 0 && seq - to <= mostTogether; to--) {
      const there = await this.go({ seq: to });
      if (there.seq < seq) return (await this.take(there, applied)).seq < seq;
    }
    return false;
  }

  async ask(id: string): Promise<AskExplanation | undefined> {
    return (await this.engine.request("explain", { id: this.id, kind: "ask", name: id })).answer.explanation as AskExplanation | undefined;
  }

  /**
   * Goes back to where the session was, and returns where it is: the same moment, or where that was in an instant that had
   * brought nothing yet, the moment before the instant.
   */
  async back({ midway, now, seq, applied }: StatusAnswer): Promise<StatusAnswer> {
    if (!midway) return this.go({ time: now });
    let there = await this.go(now > 0 ? { time: now - 1 } : { seq: 0 });
    if (there.seq < seq) there = await this.go({ seq });
    return this.take(there, applied);
  }

  /** Has inputs happen from where it is until so many have, unless that brings a decision. */
  private async take(from: StatusAnswer, applied: number): Promise<StatusAnswer> {
    let there = from;
    while (there.seq === from.seq && there.applied < applied) {
      there = (await this.engine.request("session.run", { id: this.id, to: { steps: applied - there.applied, unit: "input" }, most })).answer;
    }
    return there;
  }
}

/** Whether two moments of one session are the same. */
export function sameMoment(a: StatusAnswer, b: StatusAnswer): boolean {
  return a.seq === b.seq && a.now === b.now && a.applied === b.applied && a.midway === b.midway;
}
