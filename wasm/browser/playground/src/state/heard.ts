import type { Decision } from "../engine/types";
import type { Run } from "../engine/session";
import type { Cluster } from "../model/cluster";
import { isDecision, type Line } from "../model/lines";
import type { Series } from "../model/series";

/** Takes each line once it is in the model. */
type Follow = (line: Line) => void;

const portion = 16; // lines between two looks at the clock

/** What the session told and the model does not know yet. It is applied in portions, so that no frame is late. */
export class Heard {
  private readonly model: Cluster;
  private readonly series: Series;
  private readonly follow: Follow;
  private lines: (string | Line)[] = []; // as text until they are read
  private next = 0;
  private lastAt = ""; // of the line applied last

  constructor(model: Cluster, series: Series, follow: Follow) {
    this.model = model;
    this.series = series;
    this.follow = follow;
  }

  /** Whether all lines were applied. */
  get settled(): boolean {
    return this.next >= this.lines.length;
  }

  /** Takes the lines of a run, behind those that were not applied yet. */
  add({ status, text }: Run): void {
    this.model.times.start = status.start;
    const lines: (string | Line)[] = text.split("\n");
    lines.pop(); // behind the last end of line
    this.lines = this.settled ? lines : this.lines.slice(this.next).concat(lines);
    this.next = 0;
  }

  /** Reads all lines at once, without applying them: they are then applied in half the time. */
  read(): void {
    this.lines = this.lines.slice(this.next).map(lineOf);
    this.next = 0;
  }

  /** Applies lines for so many milliseconds. */
  apply(budget = Infinity): void {
    const end = performance.now() + budget;
    while (!this.settled) {
      const some = this.lines.slice(this.next, this.next + portion);
      this.next += some.length;
      for (const line of some) this.one(lineOf(line));
      if (performance.now() >= end) return;
    }
  }

  private one(line: Line): void {
    if (line.at !== this.lastAt && this.lastAt !== "") this.series.sample(this.model, this.model.times.of(this.lastAt));
    this.lastAt = line.at;
    this.model.apply(line);
    this.follow(line);
  }

  /** The session is somewhere else: what was heard last is of no more use. */
  forget(): void {
    this.lines = [];
    this.next = 0;
    this.lastAt = "";
  }
}

function lineOf(line: string | Line): Line {
  return typeof line === "string" ? (JSON.parse(line) as Line) : line;
}

/** Decisions as the session writes them. */
export function parseDecisions(text: string): Decision[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Line).filter(isDecision);
}

