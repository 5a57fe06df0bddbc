/** What the page hears of the host, as signals: the last decisions, how fast they come, and whether it hears anything at all. */

import { computed, signal } from "@preact/signals";
import type { Decision } from "../engine/types";
import { pace } from "../see/pace";
import { kindOf, type Kind } from "../see/words";
import { send, withQuery, wordsOf } from "./host/api";
import { Follower, type Connection } from "./host/follower";
import { heardAt } from "./host/times";
import { given } from "./host/token";
import { Rates } from "./rates";

/** So many decisions are kept in the page; the host has the others. */
export const mostRecent = 2000;
/** So many come with the first connection. */
const first = 500;
/** Milliseconds between two looks at what was heard. */
const beat = 150;

export const connection = signal<Connection>({ state: "connecting" });
/** Oldest first. */
export const recent = signal<readonly Decision[]>([]);
export const seq = computed(() => recent.value.at(-1)?.seq ?? 0);
/** Goes up when the state of the host may have changed. */
export const moment = signal(0);
/** Goes up when the host has restarted, or keeps what the page knew no longer: all of it is old then. */
export const begun = signal(0);
/** Decisions a second over the last ten seconds: all, and by kind. */
export const rates = signal<{ readonly all: number; readonly of: (kind: Kind) => number }>({ all: 0, of: () => 0 });

const measured = new Rates<Kind>();
let heard: Decision[] = [];
let fresh = true; // what comes first is history, and tells nothing of the rate

const shown = pace(beat, () => {
  if (heard.length === 0) return;
  const all = recent.peek().concat(heard);
  heard = [];
  recent.value = all.length > mostRecent ? all.slice(-mostRecent) : all;
  moment.value++;
});

const follower = new Follower({
  open: (behind, abort) => send(withQuery("v1/decisions", { last: behind === undefined ? first : undefined }),
    { signal: abort, headers: { Accept: "text/event-stream", ...(behind === undefined ? {} : { "Last-Event-ID": String(behind) }) } }),
  hear(decisions) {
    if (!fresh) {
      for (const d of decisions) measured.count(kindOf(d), Date.now());
      heardAt(decisions.at(-1)?.at ?? "");
    }
    fresh = false;
    for (const d of decisions) heard.push(d);
    if (heard.length > mostRecent) heard = heard.slice(-mostRecent);
    shown.ask();
  },
  gap() {
    recent.value = [];
    fresh = true;
    begun.value++;
    moment.value++;
  },
  say(now) {
    if (now.state === "live" && connection.peek().state !== "live") moment.value++;
    connection.value = now;
  },
  wordsOf,
});

/** Follows the host from now on. */
export function follow(): void {
  follower.start();
  given.subscribe((times) => { if (times > 0) follower.start(); });
  addEventListener("online", () => { follower.start(); });
  setInterval(() => {
    const now = Date.now();
    rates.value = { all: measured.all(now), of: (kind) => measured.of(kind, now) };
  }, 1000);
}

/** Tries again now. */
export function reconnect(): void {
  follower.start();
}
