/** Two curves on one axis. */

/** A curve: x in ascending order. */
export interface Curve {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** How a curve goes between its points: each value holds since the point before, or from its point on. */
export type Holds = "since" | "from";

/** Both curves at every x of either; null where a curve has no value. */
export function joined(a: Curve, b: Curve, holds: Holds): { readonly x: number[]; readonly a: (number | null)[]; readonly b: (number | null)[] } {
  const x = [...new Set([...a.x, ...b.x])].sort((one, other) => one - other);
  return { x, a: valuesAt(a, x, holds), b: valuesAt(b, x, holds) };
}

function valuesAt(curve: Curve, x: readonly number[], holds: Holds): (number | null)[] {
  let i = 0;
  return x.map((at) => {
    while (i < curve.x.length && (curve.x[i] ?? 0) < at) i++;
    if (holds === "since" || curve.x[i] === at) return curve.y[i] ?? null;
    return curve.x.length > 0 ? (curve.y[i - 1] ?? 0) : null;
  });
}
