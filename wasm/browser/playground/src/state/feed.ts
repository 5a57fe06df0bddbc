/** Changing what happens. */

import { inputsOf } from "../engine/journal";
import { Session } from "../engine/session";
import type { Untimed } from "../model/lines";
import type { Configuration } from "../model/scenario";
import type { Live } from "./live";
import { refusalWords, say } from "./notices";
import { shown } from "./progress";

const atOnce = 256 << 10; // characters of lines that are added without a look at how far it has come

export class Feed {
  private readonly live: Live;

  constructor(live: Live) {
    this.live = live;
  }

  /** Has inputs happen as soon as the session takes them. False: none of them had an effect. */
  async inputs(inputs: readonly Untimed[]): Promise<boolean> {
    if (inputs.length === 0) return true;
    return this.now((at) => inputs.map((input) => JSON.stringify({ at, ...input })).join("\n"));
  }

  async reload({ text, format }: Configuration): Promise<boolean> {
    return this.inputs([{ type: "config.set", config: text, format }]);
  }

  /** Has lines happen at the present, which is written as the journal writes times. */
  async now(lines: (at: string) => Promise<string> | string): Promise<boolean> {
    const { live } = this;
    const before = live.session.now;
    const time = soonest(Math.max(before.now, before.earliest));
    const fed = await live.session.feed(await lines(live.model.times.text(time)));
    live.cut(before);
    const refused = await live.refusals(() => live.advance({ time }));
    if (refused.length === 0) return true;
    say("error", refusalWords(refused));
    return refused.length < fed.entries - before.entries;
  }

  /** Has lines happen when they say, all or none. */
  async lines(text: string): Promise<boolean> {
    const { live } = this;
    const before = live.session.now;
    if (text.length > atOnce) await shown("Reading", (share) => this.tryOut(text, share));
    await live.session.feed(text);
    live.cut(before);
    const now = await live.session.status();
    await live.show(now);
    const count = inputsOf(text).length;
    say("info", `${count} ${count === 1 ? "line was" : "lines were"} added to the journal.`);
    return true;
  }

  /** Reads a long text line by line into a session that is given up, so that what cannot be read is found before anything changes. */
  private async tryOut(text: string, share: (share: number) => void): Promise<void> {
    const trial = await Session.begin(this.live.engine);
    try {
      await trial.feedAll(text, share);
    } finally {
      await trial.free();
    }
  }
}

/** Beyond 104 days a number no longer tells single nanoseconds apart: then the next millisecond. */
function soonest(time: number): number {
  const millisecond = 1e6;
  return Number.isSafeInteger(time) ? time : Math.ceil(time / millisecond + 1) * millisecond;
}
