export interface Weighted {
  /** How often it is drawn beside the others; all of 0 is as all of 1. */
  readonly weight: number;
}

/** Numbers that look drawn by chance. */
export interface Draws {
  /** A whole number from 0 that is less than the bound. */
  below(bound: number): number;
  between(range: readonly [number, number]): number;
  from<T extends Weighted>(list: readonly T[]): T | undefined;
}

/** Draws by mulberry32: integers alone, since logarithms and the like differ between machines. */
export function drawsFrom(seed: number): Draws {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (bound: number) => Math.floor((next() / 2 ** 32) * bound);
  return {
    below,
    between: ([least, most]) => least + below(Math.max(0, most - least) + 1),
    from(list) {
      const total = list.reduce((sum, one) => sum + one.weight, 0);
      let left = below(total > 0 ? total : list.length);
      return list.find((one) => (left -= total > 0 ? one.weight : 1) < 0);
    },
  };
}
