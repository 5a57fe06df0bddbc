import type { Goal } from "../engine/session";
import type { StatusAnswer } from "../engine/types";
import { second } from "../model/times";
import { End } from "./end";
import type { Live } from "./live";
import { shown } from "./progress";
import { playing, speed, status } from "./store";

const applyBudget = 6; // ms of a frame for what was heard
const unseenBudget = 500; // the same for a hidden page, and frames are a second apart
const requestBudget = 8; // ms of a request
const queueInterval = 100; // ms between two looks at the queues, at least
const longestFrame = 100; // ms: after a hiccup the session does not catch up
const longestUnseen = 1000;
const fewest = 16; // decisions of a request
const largest = 20_000;

/** Calls back for the next frame, with the time of the page in milliseconds, and whether the page is visible. */
export type NextFrame = (tick: (now: number, seen: boolean) => void) => void;

/** Plays: lets the time of the session pass with the time of the page. */
export class Clock {
  private readonly live: Live;
  private readonly nextFrame: NextFrame;
  private readonly failed: (thrown: unknown) => void;
  private ticking = false;
  private before = 0; // the last frame
  private owed = 0; // ms that have passed and were not asked for
  private target = 0; // nanoseconds of the session
  private left = 0; // ms that this frame still has for what was heard
  private most = 500; // decisions of a request
  private lookedAt = -Infinity;
  private ending = false; // it runs to the end
  private reached: StatusAnswer | undefined; // by the last request; where it was done the target was met

  constructor(live: Live, nextFrame: NextFrame, failed: (thrown: unknown) => void) {
    this.live = live;
    this.nextFrame = nextFrame;
    this.failed = failed;
  }

  /** Plays on. */
  play(): void {
    if (playing.value || this.ending) return;
    playing.value = true;
    this.target = status.value?.now ?? 0;
    this.before = this.owed = 0;
    this.reached = undefined;
    if (!this.ticking) this.schedule();
  }

  /** Runs to where nothing is worth waiting for, with progress, unless it is stopped. */
  async toEnd(): Promise<void> {
    if (this.ending) return;
    this.ending = playing.value = true;
    try {
      // What shows progress ends last: meanwhile nothing plays as far as a lesson is concerned.
      await shown("Running to the end", (share) => new End(this.live).run(share).finally(() => { playing.value = false; }));
    } catch (thrown) {
      this.failed(thrown);
    } finally {
      this.ending = playing.value = false;
    }
  }

  /** Stops, and shows where. */
  async pause(): Promise<void> {
    if (!playing.value) return;
    playing.value = false;
    await this.live.turns.take(async () => {
      this.live.heard.apply();
      await this.live.show(this.live.session.now);
    });
  }

  private schedule(): void {
    this.ticking = true;
    this.nextFrame((now, seen) => {
      this.ticking = false;
      if (!playing.value || this.ending) return;
      this.tick(now, seen);
      this.schedule();
    });
  }

  private tick(now: number, seen: boolean): void {
    const { heard, turns } = this.live;
    if (this.before > 0) this.owed = Math.min(this.owed + now - this.before, seen ? longestFrame : longestUnseen);
    this.before = now;
    this.left = seen ? applyBudget : unseenBudget;
    if (!turns.free) return;
    if (heard.settled) {
      turns.take(() => this.ask()).catch(this.failed);
    } else {
      this.apply();
    }
  }

  /** Asks for the next stretch; flat out for one after the other, as long as the frame has time to take them. */
  private async ask(): Promise<void> {
    const { live } = this;
    do {
      if (!playing.value) return;
      const started = performance.now();
      const run = await live.session.run(this.goal(), this.most);
      this.adapt(performance.now() - started);
      this.reached = run.status;
      live.heard.add(run);
      this.apply();
    } while (speed.value === Infinity && !this.over && live.heard.settled && this.left > 0 && !live.turns.awaited);
    await this.look();
  }

  /** Shows what requests of their own have to tell, where it is time for that; and stops where nothing is to come. */
  private async look(): Promise<void> {
    const { live, reached } = this;
    if (!reached) return;
    if (this.over) {
      live.heard.apply();
      await live.show(reached);
      playing.value = false;
    } else if (live.heard.settled && performance.now() - this.lookedAt >= queueInterval) {
      await live.show(reached);
      this.lookedAt = performance.now();
    }
  }

  /** Whether the target is reached, and nothing is worth waiting for. */
  private get over(): boolean {
    return this.reached?.done === true && this.reached.idle;
  }

  /** Applies what was heard, as far as this frame has time left for it. */
  private apply(): void {
    const started = performance.now();
    this.live.heard.apply(this.left);
    this.publish();
    this.left -= performance.now() - started;
  }

  private publish(): void {
    this.live.publish(this.live.heard.settled ? this.reached : undefined);
  }

  /** Where to go now. What was not reached in time stays the target: then the session is slower than it should be. */
  private goal(): Goal {
    const pace = speed.value;
    if (pace === Infinity) return { idle: true };
    if (this.reached?.done !== false) {
      const from = Math.max(this.target, status.value?.now ?? 0);
      this.target = from + Math.round((this.owed / 1000) * pace * second);
    }
    this.owed = 0;
    return { time: this.target };
  }

  /** Fits the size of a request to how long the last one took. */
  private adapt(took: number): void {
    const factor = Math.min(1.5, Math.max(0.5, requestBudget / Math.max(took, 0.5)));
    this.most = Math.round(Math.min(largest, Math.max(fewest, this.most * factor)));
  }
}
