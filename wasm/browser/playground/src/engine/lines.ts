/** How much a line of a module matters. */
export type Level = "debug" | "info" | "warning" | "error";

/** Takes the lines that modules log, cut and bounded in number. */
export type Log = (module: string, level: Level, text: string) => void;

/** Of a line: what is longer is cut. */
export const lineBytes = 512;

const lineBurst = 20; // in a second: what comes faster is dropped and counted

/** The lines of one instance. */
export class Quota {
  private readonly module: string;
  private readonly log: Log;
  private since = -Infinity;
  private lines = 0;
  private dropped = 0;

  constructor(module: string, log: Log) {
    this.module = module;
    this.log = log;
  }

  /** Passes a line on, as far as the quota goes. A text that does not fit on one line, or turns its direction, is changed. */
  say(level: Level, bytes: Uint8Array): void {
    const now = performance.now();
    if (now - this.since >= 1000) {
      if (this.dropped > 0) this.log(this.module, "warning", `${String(this.dropped)} lines were dropped, since they came too fast`);
      this.since = now;
      this.lines = this.dropped = 0;
    }
    if (this.lines >= lineBurst) {
      this.dropped++;
      return;
    }
    this.lines++;
    this.log(this.module, level, new TextDecoder().decode(bytes).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, " "));
  }
}
