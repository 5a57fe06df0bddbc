/** What the host answers below /v1, and how it is read into what the page's parts take. */

import type { Amounts, QueueDump } from "../../engine/types";
import { nothing, parseQuantity } from "../../model/quantities";

/** Amounts as the host writes them: vcore as text, all else as whole numbers. */
export type Written = Readonly<Record<string, number | string>>;

export interface Page<T> {
  readonly items: readonly T[];
  /** What the next page begins with; none: this is the last. */
  readonly continue?: string;
}

export interface QueueObject {
  readonly queue: string;
  readonly state: string;
  readonly leaf: boolean;
  readonly dynamic: boolean;
  readonly used: Written;
  readonly guaranteed: Written;
  readonly max: Written;
  readonly headroom: Written;
  readonly pending: Written;
  readonly pending_asks: number;
  readonly allocations: number;
  readonly priority: number | null;
  readonly applications: number;
  readonly running: number;
  readonly max_running: number;
  readonly app_sort: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly aged?: AgedObject;
  readonly users?: readonly (AgedObject & { readonly user: string })[];
}

/** The usage by which an order with a half-life compares. */
export interface AgedObject {
  /** None: only usage now counts. */
  readonly half_life?: string;
  readonly look_ahead?: string;
  readonly aged: Written;
  readonly compared: Written;
  readonly share_billionths: number;
}

export interface NodeObject {
  readonly node: string;
  readonly partition?: string;
  readonly schedulable: boolean;
  readonly capacity: Written;
  readonly occupied: Written;
  readonly used: Written;
  readonly attributes: Readonly<Record<string, string>>;
  /** By level of the topology, its value. */
  readonly domain?: Readonly<Record<string, string>>;
  readonly reserved?: string;
  readonly kept?: string;
  readonly allocations: readonly string[];
}

export interface AppObject {
  readonly app: string;
  readonly queue: string;
  readonly state: string;
  readonly user?: string;
  readonly group?: string;
  readonly submitted: string;
  readonly used: Written;
  readonly pending: number;
  readonly allocations: number;
  readonly atomic_gangs: number;
  readonly preempted?: number;
}

export interface GangMember {
  readonly ask: string;
  readonly state: AskObject["state"];
  readonly node?: string;
  readonly slice?: number;
}

export interface GangObject {
  readonly app: string;
  readonly gang: string;
  readonly queue: string;
  readonly user: string;
  readonly state: "waiting" | "accumulating" | "whole" | "broken" | "leaving" | "single";
  readonly submitted: string;
  readonly min: number;
  readonly max?: number;
  readonly needed: number;
  readonly disruption: string;
  readonly allocated: number;
  readonly leaving: number;
  readonly pending: number;
  readonly succeeded: number;
  readonly surplus: number;
  /** Why it waits. */
  readonly reason?: string;
  readonly times_out?: string;
  readonly broken_since?: string;
  readonly broken_by?: string;
  readonly repair_ends?: string;
  readonly held?: { readonly since: string; readonly until: string; readonly members: readonly GangMember[]; readonly more?: number };
  readonly level?: string;
  readonly required?: boolean;
  readonly domain?: string;
  readonly slice_level?: string;
  readonly slice_size?: number;
  readonly slices?: readonly { readonly slice: number; readonly allocated: number; readonly domain?: string }[];
  readonly set?: string;
  readonly set_min?: number;
  readonly set_waits?: boolean;
  readonly members: readonly GangMember[];
  readonly more_members?: number;
}

export interface DomainObject {
  readonly partition?: string;
  readonly level: string;
  readonly domain: string;
  readonly nodes: number;
  readonly schedulable: number;
  readonly capacity: Written;
  readonly occupied: Written;
  readonly used: Written;
  readonly free: Written;
}

export interface LevelObject {
  readonly partition?: string;
  readonly level: string;
  readonly domains: number;
}

export interface TopologyPage extends Page<DomainObject> {
  readonly levels: readonly LevelObject[];
}

export interface AskObject {
  readonly ask: string;
  readonly app: string;
  readonly queue: string;
  readonly state: "pending" | "allocated" | "leaving";
  readonly priority: number;
  readonly resources: Written;
  readonly placeholder: boolean;
  readonly submitted: string;
  readonly node?: string;
  readonly allocated?: string;
  readonly kept?: string;
  readonly gang?: string;
  readonly preempted?: number;
  readonly walltime?: string;
  /** Its promised end. */
  readonly ends?: string;
  /** Told to leave: the ask that it leaves for, if for one. */
  readonly leaving_for?: string;
  readonly planned_start?: PlannedObject;
}

/** When and where a blocked ask starts at the latest. */
export interface PlannedObject {
  readonly start: string;
  readonly node: string;
  /** Why it is then: the code of the last decision. */
  readonly reason?: string;
}

export interface WindowObject {
  readonly window: string;
  readonly open: boolean;
  /** None: it does not open any more. */
  readonly from?: string;
  /** None: it stays open. */
  readonly until?: string;
  readonly every?: string;
  readonly nodes: readonly string[];
  readonly queues: readonly string[];
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export interface ForecastObject {
  readonly at: string;
  readonly horizon: string;
  readonly plays: number;
  readonly played: number;
  readonly started: number;
  readonly p5?: string;
  readonly p50?: string;
  readonly p95?: string;
  readonly text: string;
}

export interface ShadowObject {
  readonly of: string;
  readonly point: string;
  readonly rounds: number;
  readonly differing: number;
  readonly faults: number;
  readonly fault?: string;
  readonly first: readonly { readonly at: string; readonly acting: string; readonly shadow: string; readonly compared: number }[];
}

export interface PolicyObject {
  readonly policy: string;
  readonly state: "serving" | "quarantined" | "shadow" | "refused";
  readonly sha256?: string;
  readonly version?: string;
  readonly process?: boolean;
  readonly points: readonly string[];
  readonly in_force: boolean;
  readonly calls: number;
  readonly faults: number;
  readonly last_fault?: { readonly at: string; readonly reason: string; readonly message: string; readonly fallback: string };
  /** Until when its fallback answers. */
  readonly quarantine?: string;
  readonly fuel?: number;
  readonly fuel_per_item?: number;
  readonly memory?: number;
  readonly shadow_of?: string;
  readonly shadows?: readonly ShadowObject[];
  /** Why its files, as they are in the folder, are not in force. */
  readonly refused?: string;
  /** There is a version before to roll back to. */
  readonly previous?: boolean;
}

/** Reads amounts. An amount that cannot be read counts as none: the page is no judge of its host. */
export function amountsOf(written: Written | undefined): Amounts {
  const amounts = nothing();
  for (const [type, value] of Object.entries(written ?? {})) amounts[type] = quantityOf(type, value);
  return amounts;
}

export function quantityOf(type: string, value: number | string): number {
  if (typeof value === "number" && type !== "vcore") return value;
  try {
    return parseQuantity(type, value);
  } catch {
    return 0;
  }
}

/** A queue as the tree and the inspector's parts take it. Its path is the one that is shown. */
export function queueOf(q: QueueObject): QueueDump {
  return {
    path: q.queue, leaf: q.leaf, dynamic: q.dynamic, state: q.state, used: amountsOf(q.used), guaranteed: amountsOf(q.guaranteed), max: amountsOf(q.max),
    headroom: amountsOf(q.headroom), pending: amountsOf(q.pending), pendingAsks: q.pending_asks, allocations: q.allocations,
    hasPriority: q.priority !== null, priority: q.priority ?? undefined, applications: q.applications, running: q.running, maxRunning: q.max_running,
    appSort: q.app_sort, properties: { ...q.properties },
  };
}
