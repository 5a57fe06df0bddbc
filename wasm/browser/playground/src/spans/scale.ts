/** The axis of time. */

import { second } from "../model/times";

export interface Scale {
  readonly from: number;
  readonly to: number;
  /** Pixels. */
  readonly width: number;
}

/** Stretches that can be chosen: a quarter of each is past. */
export const stretches = ["all", "10m", "1h", "6h", "1d", "7d"] as const;
export type Stretch = (typeof stretches)[number];

const lengths: Readonly<Record<Exclude<Stretch, "all">, number>> = { "10m": 600, "1h": 3600, "6h": 21_600, "1d": 86_400, "7d": 604_800 };

export const stretchWords: Readonly<Record<Stretch, string>> = { all: "All that is known", "10m": "10 minutes", "1h": "1 hour", "6h": "6 hours", "1d": "1 day", "7d": "7 days" };

export function around(now: number, stretch: Exclude<Stretch, "all">): readonly [from: number, to: number] {
  const length = lengths[stretch] * second;
  return [now - length / 4, now + (3 * length) / 4];
}

export function xOf({ from, to, width }: Scale, at: number): number {
  return ((at - from) / (to - from)) * width;
}

export function timeAt({ from, to, width }: Scale, x: number): number {
  return from + (x / width) * (to - from);
}

/** Seconds between two ticks: round ones. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map((m) => m * 60), ...[1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 720, 2160, 8760].map((h) => h * 3600)];

/** Round times, at least so many pixels apart. Zero: what is round there, as the midnight of the zone that times are said in. */
export function ticksOf(scale: Scale, apart: number, zero = 0): readonly number[] {
  const { from, to, width } = scale;
  if (!(to > from) || width <= 0) return [];
  const least = ((to - from) * apart) / width / second;
  const step = (steps.find((one) => one >= least) ?? Math.ceil(least / 31_536_000) * 31_536_000) * second;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - zero) / step) * step + zero; at <= to; at += step) ticks.push(at);
  return ticks;
}
