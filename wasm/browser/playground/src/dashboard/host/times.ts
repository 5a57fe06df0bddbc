/** Times of the host, as people read them. */

import { signal } from "@preact/signals";
import { duration } from "../../ui/format";
import { skew } from "./api";

interface Lapse {
  /** What its clock showed, in milliseconds since 1970, when the browser's showed another time. */
  readonly at: number;
  readonly when: number;
  /** How many times faster than the browser's it runs. */
  readonly speed: number;
}

/** The clock of a simulated cluster; undefined: the cluster is a real one, and the clock that of the host's machine. */
export const lapse = signal<Lapse | undefined>(undefined);

/** Learns how a simulated cluster's clock runs. */
export function setLapse(time: string | undefined, speed: number | undefined): void {
  const at = Date.parse(time ?? "");
  lapse.value = speed !== undefined && !Number.isNaN(at) ? { at, when: Date.now(), speed } : undefined;
}

/** Further behind what is decided than the answers of so many milliseconds, a simulated clock stood still meanwhile. */
const latest = 10_000;

/** Sets the clock of a simulated cluster by what is decided now: it is not behind that, nor far ahead. */
export function heardAt(time: string): void {
  const [at, known] = [Date.parse(time), lapse.peek()];
  if (!known || Number.isNaN(at)) return;
  const ahead = hostNow() - at;
  if (ahead < 0 || ahead > latest * known.speed) lapse.value = { ...known, at, when: Date.now() };
}

/** Milliseconds since 1970, by the clock of the host. */
export function hostNow(): number {
  const known = lapse.peek();
  return known ? known.at + (Date.now() - known.when) * known.speed : Date.now() + skew.peek();
}

const formats = (timeZone: string | undefined) => {
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone } as const;
  const date = { day: "numeric", month: "short", timeZone } as const;
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);
  return { clock: of(clock), date: of({ ...date, year: "numeric" }), whole: of({ ...date, ...clock }), minute: of({ ...date, hour: "2-digit", minute: "2-digit" }) };
};
const [here, simulated] = [formats(undefined), formats("UTC")];
/** A simulated day has its own noon, wherever it is looked at. */
const local = () => (lapse.peek() ? simulated : here);

/** The time of day; with its date where that is not today's. */
export function timeOfDay(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const { clock, date: dateOf, whole } = local();
  return (dateOf.format(date) === dateOf.format(hostNow()) ? clock : whole).format(date);
}

/** A date and a time to the minute. */
export function minuteOf(at: number): string {
  return local().minute.format(at);
}

/** A time in few characters, for an axis: at midnight its date. */
export function tickOf(at: number): string {
  const { clock, date } = local();
  const [text, day] = [clock.format(at), date.format(at)];
  return text === "00:00:00" ? day.replace(/ \d+$/, "") : text.replace(/:00$/, "");
}

/** Milliseconds from midnight by UTC to that of the times that are said. */
export function midnight(): number {
  return lapse.peek() ? 0 : new Date(hostNow()).getTimezoneOffset() * 60_000;
}

/** How long ago a time was: "2m5s". A moment that the clocks disagree on is none. */
export function ago(at: string, now = hostNow()): string {
  const since = now - Date.parse(at);
  return Number.isNaN(since) ? "" : duration(Math.max(0, Math.round(since / 1000)) * 1e9);
}

/** Nanoseconds since 1970, to about 256, as the explanations of the page's parts have times. */
export function nanoseconds(at: string): number {
  const milliseconds = Date.parse(at);
  return Number.isNaN(milliseconds) ? 0 : milliseconds * 1e6;
}
