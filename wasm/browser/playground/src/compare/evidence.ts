/** Whether two set-ups differ in a figure, or chance alone may have made the difference. */

/** A figure of both set-ups, as whole numbers; a run of A and the run of B on the same workload stand at the same place. */
export interface Pairs {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** less, more: B against A. noise: the runs do not agree. few: there are too few runs to tell. */
export type Evidence = "same" | "less" | "more" | "noise" | "few";

/** A sign test of fewer runs finds nothing: chance gives four of four the same sign once in eight times. */
export const fewestSeeds = 5;
/** From so many runs on, one of them may disagree: chance does that in at most 7 of 100 figures. */
const oneMayDisagree = 8;

/**
 * A difference holds where all pairs of runs agree on its direction, or all but one of eight and more. Runs that are equal
 * do not agree. A single pair has no noise to be told from: any difference is one on that workload.
 */
export function evidence({ a, b }: Pairs): Evidence {
  const differences = paired({ a, b });
  const less = differences.filter((d) => d < 0).length;
  const more = differences.filter((d) => d > 0).length;
  const runs = differences.length;
  if (less + more === 0) return "same";
  if (runs > 1 && runs < fewestSeeds) return "few";
  if (less >= agreeing(runs)) return "less";
  return more >= agreeing(runs) ? "more" : "noise";
}

/** How many of so many pairs of runs have to agree. */
export function agreeing(runs: number): number {
  return runs >= oneMayDisagree ? runs - 1 : runs;
}

/** How far B is from A, by pair. */
export function paired({ a, b }: Pairs): number[] {
  return a.map((value, i) => (b[i] ?? value) - value);
}

/** The middle one of an odd number, the lower of the two middle ones of an even number: a value that was measured. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
