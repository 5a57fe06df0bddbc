import type { Amounts, QueueDump, StateAnswer } from "../engine/types";
import type { Line } from "./lines";

/** An ask of an application; allocated once it has a node. Times are nanoseconds of the session. */
export interface AskModel {
  readonly id: string;
  readonly app: string;
  priority: number;
  resources: Amounts;
  submitted: number;
  node?: string;
  allocated?: number;
  /** Pending: the node that it has reserved. */
  reserved?: string;
  /** Pending: the node that is kept for it, since it preempted there. */
  kept?: string;
  /** Allocated: it was told to leave. */
  leaves?: true | undefined;
  /** Told to leave: the ask that it makes room for, if there is one. */
  leaving?: string | undefined;
  /** It holds room for a task of its gang. */
  readonly placeholder?: true | undefined;
  /** The atomic gang of its application that it is a member of. */
  readonly gang?: string | undefined;
}

/** An atomic gang. gangs.ts says how it stands. */
export interface GangModel {
  readonly id: string;
  /** How many members have to run, less those that have succeeded. */
  min: number;
  /** It was whole, and too few members are left. */
  broken: boolean;
  /** It was not placed in time, and its members are placed one by one. */
  single: boolean;
}

/** Applications that are Completed or Failed stay until they expire, without asks. */
export interface AppModel {
  readonly id: string;
  /** Its path as it is shown: outside of the first partition with the partition before it. */
  queue: string;
  state: string;
  submitted: number;
  readonly asks: Map<string, AskModel>;
  /** Its atomic gangs. One without members may be left from before. */
  readonly gangs: Map<string, GangModel>;
}

export interface NodeModel {
  readonly id: string;
  /** Undefined: the first. */
  partition?: string | undefined;
  capacity: Amounts;
  /** What others use, beside the scheduler. */
  occupied: Amounts;
  /** By allocations. */
  used: Amounts;
  attributes: Record<string, string>;
  schedulable: boolean;
  /** The ask that has reserved it. */
  reserved?: string;
  /** The ask that it is kept for, which preempted here. */
  kept?: string;
  /** In the order in which they were made. */
  readonly allocations: Map<string, AskModel>;
  /** Goes up with each change of this node or what runs on it; no two nodes that ever were have the same. */
  version: number;
}

/** The cluster as the page draws it. It follows what the session tells, and is the same as the session's own state at any time. */
export interface Model {
  /** In the order in which they came. */
  readonly nodes: ReadonlyMap<string, NodeModel>;
  /** In the order of submission. */
  readonly apps: ReadonlyMap<string, AppModel>;
  readonly asks: ReadonlyMap<string, AskModel>;
  /** By the path that is shown, parents before their children. */
  readonly queues: ReadonlyMap<string, QueueDump>;
  /** Asks without a node. */
  readonly pending: number;
  /** The ask that has waited longest. */
  readonly oldest: AskModel | undefined;
  /** Of all nodes together. */
  readonly capacity: Readonly<Amounts>;
  /** By all allocations together. */
  readonly used: Readonly<Amounts>;
  /** Goes up with each change; for what is derived and kept. */
  readonly version: number;
  apply(line: Line): void;
  reset(state: StateAnswer): void;
  setQueues(queues: readonly QueueDump[]): void;
}
