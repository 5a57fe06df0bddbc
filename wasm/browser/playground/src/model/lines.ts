/** Lines of the journal and of decisions, as docs/reference/journal.md fixes them. */

import type { Decision } from "../engine/types";

/** Amounts as journals write them: "500m", "2Gi", 4. */
export type Quantities = Record<string, string | number>;

/** An input. Times are texts: a duration since the start, or RFC 3339. A session says of one that was refused for which reason. */
export type Input = { refused?: string } & (
  | { type: "window.add"; at: string; id: string; from: string; until?: string; nodes?: string[]; constraints?: Record<string, string[]>; count?: number; queues?: string[]; users?: string[]; groups?: string[]; every?: string; partition?: string }
  | { type: "node.add"; at: string; id: string; capacity: Quantities; attributes?: Record<string, string>; schedulable?: boolean; occupied?: Quantities; partition?: string }
  | { type: "node.update"; at: string; id: string; capacity?: Quantities; attributes?: Record<string, string>; occupied?: Quantities }
  | { type: "node.drain" | "node.resume" | "node.remove" | "app.remove" | "ask.remove" | "window.remove"; at: string; id: string }
  | { type: "allocation.release"; at: string; id: string; failed?: boolean }
  | ({ type: "app.add"; at: string } & Application)
  | { type: "app.move"; at: string; id: string; queue: string }
  | ({ type: "ask.add"; at: string } & Ask)
  | ({ type: "allocation.restore"; at: string; placed_on: string } & Ask)
  | { type: "ask.update"; at: string; id: string; priority?: number; resources?: Quantities; preemptable?: boolean; predicate?: string; leaving?: boolean; walltime?: string }
  | { type: "config.set"; at: string; config: string; format?: "yaml" | "toml" }
  | { type: "policy.set"; at: string; name: string; sha256: string; manifest: unknown }
  | { type: "policy.remove"; at: string; name: string }
  | { type: "state.set"; at: string; part: number; parts: number; snapshot: string }
  | { type: "tick"; at: string });

/** An application that is submitted. Where placement rules are configured, its queue may be left out. */
export interface Application {
  id: string;
  partition?: string;
  queue?: string;
  user?: string;
  groups?: string[];
  tags?: Record<string, string>;
  /** The sum of its placeholders: it is a gang. */
  placeholder_ask?: Quantities;
  gang_style?: "Soft" | "Hard";
  placeholder_timeout?: string;
  /** By atomic gang: how many members had succeeded before. */
  succeeded?: Record<string, number>;
}

/** What an application wants. */
export interface Ask {
  id: string;
  app: string;
  resources: Quantities;
  priority?: number;
  node?: string;
  constraints?: Record<string, string[]>;
  originator?: boolean;
  preempt_others?: boolean;
  preemptable?: boolean;
  task_group?: string;
  placeholder?: boolean;
  gang?: string;
  gang_min?: number;
  gang_timeout?: string;
  gang_fallback?: "members";
  gang_disruption?: "unit" | "whole" | "member";
  gang_repair?: string;
  gang_max?: number;
  gang_set?: string;
  gang_set_min?: number;
  topology_required?: string;
  topology_preferred?: string;
  movable?: boolean;
  topology_slice?: { level: string; size: number };
  /** How long its allocation promises to run at most. */
  walltime?: string;
  min_runtime?: string;
  run?: string;
  count?: number;
}

/** An input without its time: the session knows what time it is. */
export type Untimed = Input extends infer I ? (I extends Input ? Omit<I, "at"> : never) : never;

/** What a session tells while it runs, in order. An input has no seq. */
export type Line = Input | Decision;

/** Reports whether a line is a decision. */
export function isDecision(line: Line): line is Decision {
  return "seq" in line;
}
