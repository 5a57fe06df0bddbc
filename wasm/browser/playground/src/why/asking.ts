/** Puts one question again whenever what it is about may have changed: soon when the cluster stands still, seldom while it plays. */

import { useEffect, useState } from "preact/hooks";
import { effect } from "@preact/signals";

import { frame, playing } from "../state/store";

/** How long the cluster has to stand still before it is asked about, and how far apart questions are while it plays: in ms. */
export const settles = 150;
export const apart = 500;

/** One question and its repetitions. At most one is under way; answers that are overtaken while nothing plays are dropped. */
export class Asking<Answer> {
  private readonly ask: () => Promise<Answer>;
  private readonly hear: (answer: Answer) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private state: "idle" | "asked" | "stopped" = "idle";
  private last = -Infinity;
  private moving = false;
  private changes = 0;

  constructor(ask: () => Promise<Answer>, hear: (answer: Answer) => void) {
    this.ask = ask;
    this.hear = hear;
  }

  /** Asks at once. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.state === "idle") void this.put();
  }

  /** Says that something changed; moving: it will go on changing. */
  changed(moving: boolean): void {
    this.moving = moving;
    this.changes++;
    if (this.state === "idle") this.soon();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.state = "stopped";
  }

  private soon(): void {
    if (this.moving && this.timer !== undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.now(); }, this.moving ? Math.max(0, this.last + apart - performance.now()) : settles);
  }

  private async put(): Promise<void> {
    const { changes } = this;
    this.state = "asked";
    this.last = performance.now();
    const answer = await this.ask();
    this.done(answer, this.changes !== changes);
  }

  private done(answer: Answer, overtaken: boolean): void {
    if (this.state === "stopped") return;
    this.state = "idle";
    if (this.moving || !overtaken) this.hear(answer);
    if (overtaken) this.soon();
  }
}

/** What was answered last. */
export interface Heard<Answer> {
  readonly answer: Answer;
}

/**
 * The answer to a question about the cluster as it is, kept up to date; undefined: there is none yet. Another key is another
 * question. A component that uses this is drawn again with each answer, and peeks at what else it shows: were it to follow
 * those signals, it would be drawn with each frame.
 */
export function useAsked<Answer>(key: string, ask: () => Promise<Answer>): Heard<Answer> | undefined {
  const [heard, setHeard] = useState<{ readonly key: string; readonly answer: Answer }>();
  useEffect(() => {
    const asking = new Asking(ask, (answer) => { setHeard({ key, answer }); });
    asking.now();
    let first = true;
    const unfollow = effect(() => {
      const moving = frame.value >= 0 && playing.value;
      if (!first) asking.changed(moving);
      first = false;
    });
    return () => {
      unfollow();
      asking.stop();
    };
  }, [key]);
  return heard?.key === key ? heard : undefined;
}

/** Has a component drawn again as the cluster changes, as often as questions are put. */
export function useMoment(): void {
  useAsked("", () => Promise.resolve());
}
