/** How amounts, times and counts read on the page. */

import type { Amounts, Duration } from "../engine/types";
import { typesOf } from "../model/quantities";
import { formatDuration } from "../model/times";

const binary = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;
const thousands = ["", "k", "M", "G", "T", "P", "E"] as const;
const exact = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 3 });
const digits = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 4, useGrouping: true });
const threeDigits = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });
const integers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** An amount in stored units: vcore "1.5", memory "2 GiB", others as they are. */
export function amount(type: string, stored: number): string {
  if (stored < 0) return `−${amount(type, -stored)}`;
  if (type === "vcore") return exact.format(stored / 1000);
  return type === "memory" ? bytes(stored) : integers.format(stored);
}

/** An amount in few characters, rounded, for narrow cells: "9,999", "36.5k", "1.2M". */
export function short(type: string, stored: number): string {
  if (stored < 0) return `−${short(type, -stored)}`;
  if (type === "memory") return bytes(stored);
  let left = type === "vcore" ? stored / 1000 : stored;
  if (left < 9999.5) return digits.format(left);
  let unit = 0;
  while (left >= 999.5 && unit < thousands.length - 1) {
    left /= 1000;
    unit++;
  }
  return `${threeDigits.format(left)}${thousands[unit] ?? ""}`;
}

/** With its type: "1.5 vcore", "2 GiB memory". */
export function amountOf(type: string, stored: number): string {
  return `${amount(type, stored)} ${type}`;
}

/** All of a set, vcore and memory first: "1.5 vcore, 2 GiB memory"; "nothing" when it is empty. */
export function amounts(set: Amounts | undefined): string {
  const parts = typesOf(set).flatMap((type) => (set?.[type] ? [amountOf(type, set[type])] : []));
  return parts.join(", ") || "nothing";
}

function bytes(stored: number): string {
  let unit = 0;
  let left = stored;
  while (left >= 1024 && unit < binary.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${digits.format(left)} ${binary[unit] ?? ""}`;
}

/** Nanoseconds in the two largest units that matter, rounded, as journals and forms have them: "350ms", "12.5s", "1m30s", "2h5m", "3d4h". */
export function duration(nanoseconds: Duration): string {
  if (nanoseconds < 0) return `−${duration(-nanoseconds)}`;
  const seconds = nanoseconds / 1e9;
  if (nanoseconds === 0) return "0s";
  if (nanoseconds < 999.5) return `${digits.format(nanoseconds)}ns`;
  if (nanoseconds < 999.5e3) return `${threeDigits.format(nanoseconds / 1e3)}µs`;
  if (nanoseconds < 999.5e6) return `${threeDigits.format(nanoseconds / 1e6)}ms`;
  if (seconds < 59.95) return `${digits.format(Math.round(seconds * 10) / 10)}s`;
  const rounded = Math.round(seconds);
  const [days, hours, minutes] = [Math.floor(rounded / 86_400), Math.floor(rounded / 3600) % 24, Math.floor(rounded / 60) % 60];
  if (days > 0) return pair(days, "d", hours, "h");
  return hours > 0 ? pair(hours, "h", minutes, "m") : pair(minutes, "m", rounded % 60, "s");
}

/** A moment to the millisecond, for what happens close together: "1m30.123s", "10s". */
export function precise(nanoseconds: Duration): string {
  if (Math.abs(nanoseconds) < 999.5e6) return duration(nanoseconds);
  return formatDuration(Math.round(nanoseconds / 1e6) * 1e6).replace(/(?<=[hm])0s$/, "").replace(/(?<=h)0m$/, "");
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** A share of 1: "42%", "0.4%" below one, "<0.1%". */
export function share(of: number): string {
  const percent = of * 100;
  if (percent > 0 && percent < 0.05) return "<0.1%";
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : integers.format(percent)}%`;
}

/** A number without a fraction: "1,000", "−10". */
export function whole(n: number): string {
  return n < 0 ? `−${integers.format(-n)}` : integers.format(n);
}

/** The fair share of a queue, out of billionths: "0.63". It is no share of 1: a queue above its guaranteed has more. */
export function fairShare(billionths: number | undefined): string {
  return ((billionths ?? 0) / 1e9).toFixed(2);
}

/** "1 node", "1,000 nodes". The plural is the word with an s, unless it is given. */
export function count(n: number, word: string, plural = `${word}s`): string {
  return `${integers.format(n)} ${n === 1 ? word : plural}`;
}
