/** Going to another moment of the session. */

import type { Live } from "./live";
import { say } from "./notices";
import { shown } from "./progress";
import { status } from "./store";

const stride = 1000; // steps of a request

export class Travel {
  private readonly live: Live;

  constructor(live: Live) {
    this.live = live;
  }

  async step(unit: "decision" | "instant" | "input"): Promise<void> {
    const before = status.value;
    const now = await this.live.advance({ steps: 1, unit });
    if (now.seq === before?.seq && now.applied === before.applied && now.next === undefined) say("info", "There are no more events.");
  }

  /** To the moment before the last decision. Where it was made together with others, to before all of these. */
  async back(): Promise<void> {
    const seq = status.value?.seq ?? 0;
    for (let to = seq - 1; to > 0; to--) {
      const now = await this.live.jump({ seq: to });
      if (now.seq < seq) return;
    }
    await this.live.jump({ seq: 0 });
  }

  /** To the end of an instant. Beyond what is known the session plays, so that all that happens is heard. */
  async toTime(time: number): Promise<void> {
    const { live } = this;
    if (time <= live.latest.now) {
      await live.jump({ time });
      return;
    }
    await this.toLatest();
    await shown("Playing", (share) => live.advance({ time }, share));
  }

  /** To the moment at which a decision was made, or the end if it never is. */
  async toDecision(seq: number): Promise<void> {
    const { live } = this;
    if (seq > live.latest.seq) {
      await this.toLatest();
      await shown("Playing", async (share) => {
        let now = await live.advance({ steps: 1, unit: "decision" });
        while (now.seq < seq && now.next !== undefined) {
          share(now.seq / seq);
          now = await live.advance({ steps: Math.min(seq - now.seq, stride), unit: "decision" });
        }
      });
    }
    if (status.value?.seq !== seq) await live.jump({ seq });
  }

  /** Forgets the inputs that are still to come. */
  async cutHere(): Promise<void> {
    const now = await this.live.session.truncate();
    this.live.cut(now);
    await this.live.show(now);
  }

  /** To the latest moment that is known. */
  private async toLatest(): Promise<void> {
    const { latest } = this.live;
    const now = status.value;
    if (now && (now.seq < latest.seq || now.now < latest.now)) await this.live.jump({ seq: latest.seq });
  }
}
