/** What a lesson is made of: data alone, so that a test can walk through it as a reader does. */

import type { Scenario } from "../model/scenario";
import type { Selection } from "../state/store";

export interface Lesson {
  /** Of the address: #lesson=NAME. */
  readonly name: string;
  readonly title: string;
  readonly group: Group;
  /** One line for the overview. */
  readonly about: string;
  /** How long it takes to read. */
  readonly minutes: number;
  readonly scenario: Scenario & { readonly lesson: string };
  readonly steps: readonly Step[];
}

/** In the order of the overview. */
export const groups = ["Start here", "Scheduling order", "Limits and waiting", "Placement and users", "Gangs", "Over time", "The laws of preemption", "Preemption at work", "Explanations", "At full size"] as const;
export type Group = (typeof groups)[number];

export interface Step {
  readonly title: string;
  /** Paragraphs, lists, `code` and **strong**; prose.tsx draws them. */
  readonly text: string;
  /** The moment to go to; without one the session stays at the moment of the previous step. */
  readonly goto?: Moment;
  /** Must be true at that moment. */
  readonly expect?: readonly Expectation[];
  /** Whether the nodes are shown over time; left out: as they were. */
  readonly overTime?: boolean;
  readonly select?: Target;
  /** A suggestion for a change by hand. */
  readonly try?: string;
}

/** A time of the session, after all decisions of that instant; just after a decision, by its number; or when the session is idle. */
export type Moment = { readonly seconds: number } | { readonly decision: number } | "end";

export type Target = Exclude<Selection, { kind: "decision" }>;

/** Amounts are in whole cores for vcore, else in stored units. */
export type Expectation =
  | { readonly kind: "allocated"; readonly ask: string; readonly node?: string }
  | { readonly kind: "pending"; readonly ask: string }
  /** The asks were allocated in this order; others may have been between them. */
  | { readonly kind: "order"; readonly asks: readonly string[] }
  | { readonly kind: "used" | "headroom"; readonly queue: string; readonly type: string; readonly amount: number }
  /** The allocations that were told to leave for the ask so far, in any order. */
  | { readonly kind: "victims"; readonly for: string; readonly victims: readonly string[] }
  /** The queue told them to leave so far, since it is over its max; in any order. */
  | { readonly kind: "over-max"; readonly queue: string; readonly victims: readonly string[] }
  /** One decision placed them all: no other decision is between their allocations. */
  | { readonly kind: "together"; readonly asks: readonly string[] }
  /** The placeholder was told to leave for the ask. */
  | { readonly kind: "replaced"; readonly placeholder: string; readonly by: string }
  /** The queue that the application was placed in. */
  | { readonly kind: "in"; readonly app: string; readonly queue: string }
  /** An application or an ask. */
  | { readonly kind: "rejected"; readonly id: string; readonly reason: string }
  /** Undefined: the queue has none, since it has no pending asks. */
  | { readonly kind: "priority"; readonly queue: string; readonly value?: number }
  /** In thousandths, rounded down. */
  | { readonly kind: "share"; readonly queue: string; readonly thousandths: number }
  | { readonly kind: "state"; readonly app: string; readonly state: string }
  | { readonly kind: "queue"; readonly queue: string; readonly state: string }
  /** Undefined: no ask has reserved the node, and it is kept for none. */
  | { readonly kind: "held"; readonly node: string; readonly ask?: string }
  | { readonly kind: "decisions"; readonly type: string; readonly count: number }
  | { readonly kind: "explains"; readonly ask: string; readonly reason: string }
  /** The verdict of a dry run of preemption for the ask. */
  | { readonly kind: "verdict"; readonly ask: string; readonly verdict: string };

/** A lesson from its parts; it begins at the moment of its first step. */
export function lesson({ journal, grace, speed, ...rest }: Omit<Lesson, "scenario"> & Pick<Scenario, "journal" | "grace" | "speed">): Lesson {
  const first = rest.steps[0]?.goto;
  const begin = first && first !== "end" && "seconds" in first ? first.seconds : 0;
  return { ...rest, scenario: { title: rest.title, lesson: rest.name, journal, grace, speed, begin } };
}
