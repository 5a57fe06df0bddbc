/** Follows the decisions of the host: reconnects with back-off, and goes on behind the last decision that it heard. */

import type { Decision } from "../../engine/types";
import { givenUp, Problem } from "./api";
import { EventReader } from "./events";

export type Connection =
  | { readonly state: "connecting" | "live" }
  /** It will be tried again at a time of the browser's clock. */
  | { readonly state: "lost"; readonly why: string; readonly again: number }
  /** The host wants a token, or another one. */
  | { readonly state: "barred"; readonly why: string };

export interface Ears {
  /** Opens the stream: behind a decision, or with the last few where there is none. */
  open(behind: number | undefined, abort: AbortSignal): Promise<Response>;
  hear(decisions: readonly Decision[]): void;
  /** Decisions are missing, or the host has restarted: what is known of its state is to be read again. */
  gap(): void;
  say(connection: Connection): void;
  wordsOf(thrown: unknown): string;
}

/** Milliseconds. Shorter waits come first; beyond the longest it goes on at that. */
const shortest = 500;
const longest = 15_000;
/** The host gives a sign of life every 15 seconds: without one for so long the connection is dead. */
export const silence = 40_000;

export class Follower {
  private readonly ears: Ears;
  private abort = new AbortController();
  private last: number | undefined;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor(ears: Ears) {
    this.ears = ears;
  }

  /** Connects now, whatever it waited for. */
  start(): void {
    this.end();
    this.stopped = false;
    this.abort = new AbortController();
    void this.run(this.abort);
  }

  stop(): void {
    this.stopped = true;
    this.end();
  }

  private end(): void {
    clearTimeout(this.timer);
    this.abort.abort();
  }

  private async run(abort: AbortController): Promise<void> {
    this.ears.say({ state: "connecting" });
    try {
      const response = await this.ears.open(this.last, abort.signal);
      this.retry(await this.listen(response, abort), abort);
    } catch (thrown) {
      if (abort.signal.aborted && this.stopped) return;
      this.failed(thrown, abort);
    }
  }

  /** Hears decisions to the end of the stream, and gives the reason for that. */
  private async listen(response: Response, abort: AbortController): Promise<string> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) throw new TypeError("the answer has no body");
    const events = new EventReader();
    let why = "The host ended the stream.";
    this.ears.say({ state: "live" });
    for (;;) {
      const quiet = setTimeout(() => { abort.abort(); }, silence);
      const { done, value } = await reader.read().finally(() => { clearTimeout(quiet); });
      if (done) return why;
      this.failures = 0;
      const some = events.push(value);
      if (some.some(({ type, data }) => type === "end" && data.includes("stopping"))) why = "The host is stopping.";
      this.take(some);
    }
  }

  private take(events: readonly { readonly id: string; readonly type: string; readonly data: string }[]): void {
    const decisions = events.filter((event) => event.type === "" && event.data !== "").map((event) => JSON.parse(event.data) as Decision);
    const newest = decisions.at(-1);
    if (!newest) return;
    this.last = newest.seq;
    this.ears.hear(decisions);
  }

  private failed(thrown: unknown, abort: AbortController): void {
    if (this.abort !== abort) return; // another run has begun
    if (thrown instanceof Problem) {
      if (thrown.status === 401 || thrown.status === 403) {
        this.ears.say({ state: "barred", why: thrown.message });
        return;
      }
      // Compacted meanwhile, or a host that has restarted and has not come so far.
      if ((thrown.status === 410 || thrown.status === 400) && this.last !== undefined) {
        this.last = undefined;
        this.ears.gap();
      }
    }
    this.retry(givenUp(thrown) ? "The host does not respond." : this.ears.wordsOf(thrown), abort);
  }

  private retry(why: string, abort: AbortController): void {
    if (this.stopped || this.abort !== abort) return;
    const wait = Math.min(longest, shortest * 2 ** this.failures) * (0.75 + Math.random() / 2);
    this.failures++;
    this.ears.say({ state: "lost", why, again: Date.now() + wait });
    this.timer = setTimeout(() => { this.start(); }, wait);
  }
}
