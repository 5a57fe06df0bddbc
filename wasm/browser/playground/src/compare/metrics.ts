/** What a run comes to: the scheduler measures it, as the command line does; here the figures get the form in which the page shows them. */

import type { Decision, FiguresAnswer } from "../engine/types";
import type { Rejection } from "../model/rejections";
import { second } from "../model/times";

/** Times are in seconds. */
export interface Figures extends Totals {
  readonly curves: Curves;
  /** By ask: where it first went. */
  readonly placed: ReadonlyMap<string, Placement>;
}

/** The figures that are one number each. Times are in seconds. */
export interface Totals {
  readonly decisions: number;
  readonly allocated: number;
  /** At the end. */
  readonly pending: number;
  readonly preempted: number;
  /** What was rejected or ignored, by reason. */
  readonly rejections: readonly Rejection[];
  /** Policies that did not answer properly. */
  readonly faults: number;
  /** Why the first configuration that was refused was; undefined: none was. */
  readonly refused: string | undefined;
  /** Of the asks that were allocated. */
  readonly waits: { readonly mean: number; readonly p50: number; readonly p95: number; readonly p99: number; readonly most: number };
  /** Of asks that are in no gang, and of gangs as a whole. */
  readonly jobs: JobFigures;
  /** From the start to the last allocation that was made or ended. */
  readonly makespan: number;
  /** By type: part of the capacity, mean over time. */
  readonly used: Readonly<Record<string, number>>;
  /** By type: part of the capacity that is free where no waiting ask fits, mean over time. */
  readonly stranded: Readonly<Record<string, number>>;
  /** 1: every leaf queue got the same part of what it wanted. */
  readonly fairness: number;
}

/** Times are in seconds. */
export interface JobFigures {
  /** Those that have ended, and were not interrupted. */
  readonly ended: number;
  readonly wait: Spread;
  /** From submission to end. */
  readonly turnaround: Spread;
  /** Bounded: turnaround by run time, where runs count as ten seconds at least. */
  readonly slowdown: Spread;
}

interface Spread {
  readonly mean: number;
  readonly p95: number;
  readonly max: number;
}

/** Over the time of the run: each value is the mean since the time before it. */
export interface Curves {
  readonly times: readonly number[];
  readonly pending: readonly number[];
  readonly used: Readonly<Record<string, readonly number[]>>;
  readonly stranded: Readonly<Record<string, readonly number[]>>;
  /** Waits in ascending order, each with the share of all that do not exceed it. */
  readonly waits: readonly (readonly [seconds: number, share: number])[];
}

export interface Placement {
  readonly node: string;
  /** Seconds. */
  readonly at: number;
}

/** Where asks first went, from decisions and their times in nanoseconds. */
export class Placements {
  readonly byAsk = new Map<string, Placement>();

  add({ type, id = "", node = "" }: Decision, at: number): void {
    if (type === "allocation" && !this.byAsk.has(id)) this.byAsk.set(id, { node, at: at / second });
  }
}

/** The figures of a session, by name of the type where the scheduler lists them by its own order. */
export function figuresOf(answer: FiguresAnswer, placed: ReadonlyMap<string, Placement>, rejections: readonly Rejection[] = []): Figures {
  const { types, waitMean, waitP50, waitP95, waitP99, waitMax, times, pendingCurve, usedCurves, strandedCurves, waitCurve } = answer;
  const byType = <T>(values: readonly T[]): Record<string, T> =>
    Object.fromEntries(types.flatMap((type, i) => { const value = values[i]; return value === undefined ? [] : [[type, value] as const]; }));
  return {
    decisions: answer.decisions, allocated: answer.allocated, pending: answer.pending, preempted: answer.preempted, faults: answer.faults, rejections,
    refused: answer.refused === "" ? undefined : answer.refused,
    waits: { mean: waitMean, p50: waitP50, p95: waitP95, p99: waitP99, most: waitMax },
    jobs: answer.jobs, makespan: answer.makespan, used: byType(answer.used), stranded: byType(answer.stranded), fairness: answer.fairness,
    curves: { times, pending: pendingCurve, used: byType(usedCurves), stranded: byType(strandedCurves), waits: waitCurve.map(([wait = 0, share = 0]) => [wait, share] as const) },
    placed,
  };
}

/** The numbers alone, without what grows with the run. */
export function totalsOf({ decisions, allocated, pending, preempted, rejections, faults, refused, waits, jobs, makespan, used, stranded, fairness }: Figures): Totals {
  return { decisions, allocated, pending, preempted, rejections, faults, refused, waits, jobs, makespan, used, stranded, fairness };
}
