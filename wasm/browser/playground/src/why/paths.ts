/** Queues by their paths, and what a finding or a lack says about those along a way up the tree. */

import type { Amounts, Finding, HeadroomShortfall, QueueDump, VictimExplanation } from "../engine/types";
import { lastName, parentPath } from "../model/paths";
import { typesOf } from "../model/quantities";

/** A queue and all above it, root first. */
export function lineage(path: string): string[] {
  const above = parentPath(path);
  return above === "" ? [path] : [...lineage(above), path];
}

/** The last part of a path. */
export function leafName(path: string): string {
  return lastName(path);
}

/** What a queue alone has left of a type for an ask. */
export interface Room {
  readonly queue: string;
  /** Used, and kept for asks whose victims leave. */
  readonly taken: number;
  /** Undefined: it has none, and takes as much as those above it. */
  readonly max: number | undefined;
  /** What the ask wants beyond the max. */
  readonly missing: number;
}

export interface TypeRoom {
  readonly type: string;
  readonly wanted: number;
  /** From root down. */
  readonly rooms: readonly Room[];
}

/** The room along an ask's way up, by type. Where the scheduler says what is missing, its figure counts. */
export function roomAlong(queues: readonly QueueDump[], path: string, wants: Amounts, lacks: readonly HeadroomShortfall[]): TypeRoom[] {
  const byPath = new Map(queues.map((q) => [q.path, q]));
  return typesOf(wants).map((type) => {
    const wanted = wants[type] ?? 0;
    const rooms = lineage(path).flatMap((queue) => {
      const dump = byPath.get(queue);
      if (!dump) return [];
      const missing = lacks.find((lack) => lack.queue === queue && lack.type === type)?.missing ?? 0;
      const max = dump.max?.[type];
      const taken = missing > 0 && max !== undefined ? max + missing - wanted : dump.used?.[type] ?? 0;
      return [{ queue, taken, max, missing }];
    });
    return { type, wanted, rooms };
  });
}

/** A queue on one side of a preemption, with what the laws looked at there. */
export interface Step {
  readonly queue: string;
  readonly findings: readonly Finding[];
}

/** The two ways up, of the ask and of its victim, to where they meet. */
export interface Branches {
  readonly common: string;
  readonly ask: readonly Step[];
  readonly victim: readonly Step[];
}

/** The branches of a victim of `forQueue`, which are the same queue where it goes by priority within one, or by a required node. */
export function branchesOf(why: Pick<VictimExplanation, "victim" | "forQueue" | "entitled">): Branches {
  const { victim, forQueue = "", entitled = [] } = why;
  const common = victim?.common ?? "root";
  const steps = (path: string, findings: readonly Finding[]): Step[] =>
    lineage(path).filter((queue) => queue.startsWith(`${common}.`))
      .map((queue) => ({ queue, findings: findings.filter((f) => f.queue === queue) }));
  return { common, ask: steps(forQueue, entitled), victim: steps(victim?.queue ?? "", victim?.over ?? []) };
}
