/** What answers need of the page that shows them. */

import { createContext } from "preact";

import type { Duration, QueueDump } from "../engine/types";
import { duration } from "../ui/format";

export interface Picked {
  readonly kind: "queue" | "app" | "ask" | "node";
  readonly id: string;
}

export interface Surroundings {
  /** Shows what was named. */
  readonly pick: (one: Picked) => void;
  readonly now: () => Duration;
  /** How a time reads. */
  readonly time: (at: Duration) => string;
  /** A queue by the path that is shown, as far as the page knows it. */
  readonly queue: (path: string) => QueueDump | undefined;
}

export const Around = createContext<Surroundings>({ pick: () => undefined, now: () => 0, time: duration, queue: () => undefined });
