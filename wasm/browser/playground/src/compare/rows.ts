/** The figures of both set-ups side by side, for the table, the verdict and export. */

import { typesOf } from "../model/quantities";
import { rejected, Rejections, type Rejection } from "../model/rejections";
import { second } from "../model/times";
import { reasonWords } from "../see/words";
import { duration } from "../ui/format";
import { evidence, fewestSeeds, median, paired, type Evidence, type Pairs } from "./evidence";
import type { Totals } from "./metrics";
import type { Pair } from "./run";
import type { Figure } from "./verdict";

/** A figure, by pair of runs. */
export interface Row extends Pairs {
  readonly label: string;
  /** What the figure is, for those who have not met it. */
  readonly meaning?: string;
  readonly unit: "count" | "seconds" | "share" | "index" | "times";
  /** Which way is better for users; undefined: it depends. */
  readonly better?: "less" | "more";
  /** By which sentences know it; undefined: they leave it out. */
  readonly key?: string;
}

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export function rowsOf(pairs: readonly Pair[]): readonly Row[] {
  const row = (label: string, unit: Row["unit"], of: (f: Totals) => number, better?: Row["better"], meaning?: string, key?: string): Row =>
    ({ label, unit, a: pairs.map(({ a }) => of(a)), b: pairs.map(({ b }) => of(b)), better, meaning, key });
  const types = typesOf(...pairs.flatMap(({ a, b }) => [a.used, b.used]));
  const ended = pairs.some(({ a, b }) => a.jobs.ended + b.jobs.ended > 0);
  const faults = pairs.some(({ a, b }) => a.faults + b.faults > 0);
  return [
    row("Allocated", "count", (f) => f.allocated, "more", "asks that were placed", "allocated"),
    row("Pending at the end", "count", (f) => f.pending, "less", undefined, "pending"),
    row("Preempted", "count", (f) => f.preempted, undefined, "allocations that were told to leave", "preempted"),
    ...reasonsOf(pairs).map(({ type, reason }) => row(`${rejected.get(type) ?? type}: ${reason}`, "count", (f) => countOf(f, type, reason), "less", reasonWords(reason))),
    row("Wait, mean", "seconds", (f) => f.waits.mean, "less", "of the asks that were placed", "wait.mean"),
    row("Wait, half of all", "seconds", (f) => f.waits.p50, "less", "half of the asks waited no longer than this"),
    row("Wait, 95 of 100", "seconds", (f) => f.waits.p95, "less"),
    row("Wait, 99 of 100", "seconds", (f) => f.waits.p99, "less", undefined, "wait.p99"),
    row("Wait, longest", "seconds", (f) => f.waits.most, "less", undefined, "wait.max"),
    ...(ended ? [
      row("Jobs ended", "count", (f) => f.jobs.ended, "more", "asks in no gang, and gangs as a whole, that were not interrupted"),
      row("Job wait, mean", "seconds", (f) => f.jobs.wait.mean, "less", "until a job starts: of a gang, until it is whole"),
      row("Job wait, 95 of 100", "seconds", (f) => f.jobs.wait.p95, "less"),
      row("Turnaround, mean", "seconds", (f) => f.jobs.turnaround.mean, "less", "from the submission of a job to its end"),
      row("Turnaround, 95 of 100", "seconds", (f) => f.jobs.turnaround.p95, "less"),
      row("Slowdown, mean", "times", (f) => f.jobs.slowdown.mean, "less", "turnaround by run time, where a run counts as ten seconds at least"),
      row("Slowdown, 95 of 100", "times", (f) => f.jobs.slowdown.p95, "less"),
    ] : []),
    row("Makespan", "seconds", (f) => f.makespan, "less", "from the start to the last allocation that was made or ended", "makespan"),
    ...types.map((type) => row(`Used, ${type}`, "share", (f) => f.used[type] ?? 0, undefined, "part of the capacity, mean over time", `used[${type}]`)),
    ...types.map((type) => row(`Stranded, ${type}`, "share", (f) => f.stranded[type] ?? 0, "less", "part of the capacity that is free where no waiting ask fits, mean over time", `stranded[${type}]`)),
    row("Fairness", "index", (f) => f.fairness, "more", "1: every leaf queue got the same share of what it asked for (Jain's index)", "fairness"),
    ...(faults ? [row("Policy faults", "count", (f) => f.faults, "less", "calls in which a module failed")] : []),
  ];
}

/** The reasons for which inputs were rejected or ignored in any run, in the order of a summary. */
function reasonsOf(pairs: readonly Pair[]): readonly Rejection[] {
  const all = new Rejections();
  for (const { a, b } of pairs) for (const one of [...a.rejections, ...b.rejections]) all.add({ ...one, id: one.example });
  return all.sorted();
}

function countOf({ rejections }: Totals, type: string, reason: string): number {
  return rejections.find((one) => one.type === type && one.reason === reason)?.count ?? 0;
}

/** In the order in which the sentences name them. */
const keys = ["wait.p99", "wait.mean", "wait.max", "pending", "allocated", "preempted", "makespan"];

/** What the sentences of a comparison are made of: whole milliseconds, and millionths of shares. */
export function figuresFor(rows: readonly Row[]): readonly Figure[] {
  const rank = ({ key = "" }: Row) => { const at = keys.indexOf(key); return at < 0 ? keys.length : at; };
  const named = rows.filter(({ key }) => key !== undefined).sort((one, other) => rank(one) - rank(other));
  return named.map((row) => ({ key: row.key ?? "", ...wholes(row) }));
}

const parts: Readonly<Record<Row["unit"], number>> = { count: 1, seconds: 1000, share: 1e6, index: 1e6, times: 1000 };

/** Chance is told from a difference by whole numbers, the same on every machine. */
function wholes({ unit, a, b }: Row): Pairs {
  const rounded = (value: number) => Math.round(value * parts[unit]);
  return { a: a.map(rounded), b: b.map(rounded) };
}

export function valueText({ unit }: Row, value: number): string {
  switch (unit) {
    case "count": return whole.format(value);
    case "seconds": return duration(value * second);
    case "share": return `${(100 * value).toFixed(1)}%`;
    case "index": return value.toFixed(3);
    case "times": return value.toFixed(2);
  }
}

/** "1m10s to 1m50s"; empty: all runs read the same. */
export function rangeText(row: Row, values: readonly number[], say = (value: number) => valueText(row, value)): string {
  const [least, most] = [say(Math.min(...values)), say(Math.max(...values))];
  return least === most ? "" : `${least} to ${most}`;
}

/** B against A, as the two read in one pair of runs: "+12", "−3.4 points"; "=" where they read the same. */
export function differenceText(row: Row, a: number, b: number): string {
  if (valueText(row, a) === valueText(row, b)) return "=";
  return signed(row, row.unit === "share" || row.unit === "index" ? (Math.round(b * 1000) - Math.round(a * 1000)) / 1000 : b - a);
}

/** The differences of all pairs: the median, and the range. */
export function differencesText(row: Row): { readonly middle: string; readonly range: string } {
  const [a, b] = [row.a[0] ?? 0, row.b[0] ?? 0];
  if (row.a.length === 1) return { middle: differenceText(row, a, b), range: "" };
  const by = paired(row);
  const say = (value: number) => signed(row, value);
  return { middle: say(median(by)), range: rangeText(row, by, say) };
}

function signed(row: Row, by: number): string {
  const size = row.unit === "share" ? `${(100 * Math.abs(by)).toFixed(1)} points` : valueText(row, Math.abs(by));
  if (size === valueText(row, 0) || size === "0.0 points") return "=";
  return `${by > 0 ? "+" : "−"}${size}`;
}

/** What a difference is worth: better and worse hold; undefined: there is none, or it is neither. */
export function judgement(row: Row): "better" | "worse" | "differs" | "noise" | "few" | undefined {
  const found: Evidence = evidence(wholes(row));
  const { middle, range } = differencesText(row);
  if (found === "same" || (middle === "=" && range === "")) return undefined;
  if (found === "noise" || found === "few") return found;
  if (middle === "=") return undefined;
  if (!row.better) return row.a.length > 1 ? "differs" : undefined;
  return found === row.better ? "better" : "worse";
}

/** As the table has them. */
export const judgementWords = {
  better: "better", worse: "worse", differs: "holds", noise: "within the noise", few: `fewer than ${fewestSeeds} seeds`,
} as const;
