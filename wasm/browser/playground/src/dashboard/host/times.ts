/** Times of the host, as people read them. */

import { duration } from "../../ui/format";
import { skew } from "./api";

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A clock that is further away than this, in milliseconds, is not the one of the host's machine: the host runs in time lapse. */
const sameClock = 5000;
let heard: number | undefined;

/** Learns the time of a host that runs in time lapse from what it decides now. */
export function heardAt(at: string): void {
  const time = Date.parse(at);
  heard = Math.abs(time - (Date.now() + skew.peek())) > sameClock ? time : undefined;
}

/** Milliseconds since 1970, by the clock of the host. */
export const hostNow = (): number => heard ?? Date.now() + skew.peek();

/** The time of day; with its date where that is not today's. */
export function timeOfDay(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return (date.toDateString() === new Date(hostNow()).toDateString() ? clock : day).format(date);
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
