/** How an atomic gang of the host stands, in words. */

import { standingOf } from "../model/gangs";
import type { GangObject } from "./host/objects";
import { ago, timeOfDay } from "./host/times";

type Standing = Pick<GangObject, "state" | "needed" | "allocated" | "leaving" | "pending" | "held">;

/** "whole: 5 of 4 members run, 1 of them surplus", "accumulates: room is held for 3 of 4 members". */
export function gangStanding({ state, needed, allocated, leaving, pending, held }: Standing): string {
  if (state === "single") return `single: ${allocated} run and ${pending} wait, each for itself`;
  if (held) return `accumulates: room is held for ${held.members.length + (held.more ?? 0)} of ${needed} members`;
  return standingOf({ broken: state === "broken", needed, running: allocated, pending, placed: allocated + leaving > 0 });
}

const waits: Readonly<Record<string, string>> = {
  "gang-incomplete": "too few of its members are pending",
  "gang-does-not-fit": "too few of its members fit together",
  "gang-set-incomplete": "too few gangs of its set are complete",
  "gang-set-does-not-fit": "too few gangs of its set fit together",
  "waits-for-victims": "its victims have not left yet",
};

const causes: Readonly<Record<string, string>> = { failed: "a member failed", node_removed: "a node was removed", preempted: "a member was preempted" };

/** Why it waits or is broken, and since when; "": it does neither. */
export function gangCause({ state, reason, broken_since: since, broken_by: by }: Pick<GangObject, "state" | "reason" | "broken_since" | "broken_by">): string {
  if (state === "broken") return [by === undefined ? "" : `${causes[by] ?? by},`, since === undefined ? "" : `${ago(since)} ago, at ${timeOfDay(since)}`].filter(Boolean).join(" ");
  return reason === undefined ? "" : waits[reason] ?? reason;
}

/** Where its members are, or would have to be. */
export function gangPlace({ level, required, domain }: Pick<GangObject, "level" | "required" | "domain">): string {
  if (level === undefined) return "";
  return domain === undefined ? `${required ? "one" : "preferably one"} ${level}` : `${level} ${domain}`;
}
