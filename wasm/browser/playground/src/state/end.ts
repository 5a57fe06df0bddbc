/** Running to the end: in stretches, two of which are asked for at any time, so that the scheduler never waits for the page. */

import { batch } from "@preact/signals";
import type { Run, Share } from "../engine/session";
import type { StateAnswer, StatusAnswer } from "../engine/types";
import type { Live } from "./live";
import { playing } from "./store";

const stretchInterval = 100; // ms between two looks at how far it has come
const soonestPicture = 400; // ms after the last one
const latestPicture = 1000;
const fewest = 500; // decisions of a stretch
const largest = 100_000;

/** A run; where it is to be drawn also the queues right behind it, so that all that is shown is of one instant. */
interface Stretch {
  readonly run: Run;
  readonly queues: StateAnswer | undefined;
}

export class End {
  private readonly live: Live;
  private most = 2000; // decisions of a stretch
  private came: readonly [number, number] = [0, 0]; // when the last two stretches came, in ms of the page
  private readonly begun = performance.now();
  private drawn = this.begun; // when a picture was asked for
  private share = 0; // that is done

  constructor(live: Live) {
    this.live = live;
  }

  /** Runs until nothing is worth waiting for or playing stops. What waits for its turn comes in between. */
  async run(share: Share): Promise<void> {
    let over = false;
    while (playing.value && !over) over = await this.live.turns.take(() => this.stretches(share));
  }

  /** Runs stretch after stretch, and reports whether that was the last. What was asked for when it ends is still taken in. */
  private async stretches(share: Share): Promise<boolean> {
    const { live } = this;
    const now = performance.now();
    this.came = [now, now];
    const coming = [this.stretch(), this.stretch()];
    let goesOn = true;
    for (;;) {
      const { run, queues } = await this.next(coming);
      live.heard.add(run);
      live.heard.read(); // while the scheduler runs on: less is left to do before the next picture
      const over = run.status.done;
      goesOn &&= !over && playing.value && !live.turns.awaited;
      if (goesOn) coming.push(this.stretch());
      share(this.done(run.status));
      const last = coming.length === 0;
      if (queues) this.draw(run.status, queues);
      else if (last) this.draw(run.status, await live.session.state(["queues"]));
      if (last) return over;
    }
  }

  /** The stretch that was asked for first. */
  private async next(coming: Promise<Stretch>[]): Promise<Stretch> {
    const next = coming.shift();
    if (!next) throw new Error("expected a stretch that was asked for");
    const stretch = await next;
    this.adapt();
    return stretch;
  }

  /** Asks for all of a stretch at once: requests are served in their order. */
  private stretch(): Promise<Stretch> {
    const { session } = this.live;
    const now = performance.now();
    const draws = now - this.drawn >= this.pictureInterval(now);
    if (draws) this.drawn = now;
    const stretch = Promise.all([session.run({ idle: true }, this.most), draws ? session.state(["queues"]) : undefined])
      .then(([run, queues]) => ({ run, queues }));
    stretch.catch(() => undefined); // one that was asked for behind a trap is never looked at
    return stretch;
  }

  /**
   * Milliseconds between two pictures: a fifth of the way so far, within bounds. What was heard since the last one is still to
   * be applied when all is decided, so a short way needs them often; drawing costs the same each time, so a long one does not.
   */
  private pictureInterval(now: number): number {
    return Math.min(latestPicture, Math.max(soonestPicture, (now - this.begun) / 5));
  }

  /** Changes the model and what is drawn of it in one task, so that no panel is ahead of another. */
  private draw(status: StatusAnswer, state: StateAnswer): void {
    const { live } = this;
    live.heard.apply();
    batch(() => {
      live.publishQueues(state);
      live.publish(status);
    });
  }

  /** Fits the size of a stretch to how long the last two took: the page may be late to hear of one, and then hears of both at once. */
  private adapt(): void {
    const now = performance.now();
    const took = (now - this.came[0]) / 2;
    const factor = Math.min(4, Math.max(0.5, stretchInterval / Math.max(took, 1)));
    this.most = Math.round(Math.min(largest, Math.max(fewest, this.most * factor)));
    this.came = [this.came[1], now];
  }

  /** The share of the inputs that happened; the ends of the asks that were drawn last are still to come. It never falls. */
  private done({ applied, entries }: StatusAnswer): number {
    const all = entries + this.live.model.asks.size;
    this.share = Math.max(this.share, all > 0 ? applied / all : 1);
    return this.share;
  }
}
