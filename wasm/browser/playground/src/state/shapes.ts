import type { Explanation } from "../engine/types";
import type { WindowSpan } from "../spans/span";

/** Samples over the time of the session: all arrays are of one length, and time never goes back. */
export interface SessionSeries {
  /** Seconds. */
  readonly time: readonly number[];
  /** Share of capacity in use, 0 to 1, by resource type. */
  readonly used: ReadonlyMap<string, readonly number[]>;
  readonly pending: readonly number[];
  /** The longest wait among pending asks, in seconds. */
  readonly oldest: readonly number[];
  /** Waits of the asks that were allocated since the last sample: their mean in seconds; NaN: there were none. */
  readonly waited: readonly number[];
}

/** Moments that a time line marks, in nanoseconds of the session and in order. */
export interface TimeMarks {
  readonly preemptions: readonly number[];
  /** Changes of the configuration. */
  readonly reloads: readonly number[];
}

export type { Explanation };

/** An allocation that has ended. Times are nanoseconds of the session. */
export interface Past {
  readonly ask: string;
  readonly app: string;
  readonly queue: string;
  readonly node: string;
  readonly from: number;
  readonly until: number;
  /** The code of the decision. */
  readonly reason: string;
}

/** What is known of the time to come. Times are nanoseconds of the session. */
export interface Ahead {
  /** Promised ends, by allocation. */
  readonly ends: ReadonlyMap<string, number>;
  readonly plans: readonly {
    readonly ask: string;
    readonly node: string;
    readonly start: number;
    /** Undefined: it will promise no end. */
    readonly ends: number | undefined;
    /** The code that the last decision gave; "": none. */
    readonly reason: string;
  }[];
  readonly windows: readonly WindowSpan[];
}
