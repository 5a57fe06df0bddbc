/** Decisions in plain words, for the stream and for all who name one. */

import type { Decision } from "../engine/types";
import { shownPath } from "../model/paths";
import { parseQuantities } from "../model/quantities";
import { amounts } from "../ui/format";

/** What a decision is about, coarsely: for the filter and for the mark in front of it. */
export const kinds = ["placed", "ended", "preempted", "replaced", "reserved", "refused", "state", "change"] as const;
export type Kind = (typeof kinds)[number];

export const kindWords: Readonly<Record<Kind, string>> = {
  placed: "Placed", ended: "Ended", preempted: "Preemption", replaced: "Placeholders", reserved: "Reservations", refused: "Refused", state: "States", change: "Cluster",
};

/** What was decided, and why or for whose sake: the second goes on where the first ends, and may be missing. */
type Told = readonly [what: string, why?: string];

interface Telling {
  readonly kind: Kind;
  readonly tell: (d: Decision) => Told;
}

const telling: Readonly<Record<string, Telling>> = {
  "node.accepted": { kind: "change", tell: (d) => [`${name(d.id)} joined ${d.partition === undefined ? "the cluster" : `partition ${d.partition}`}`] },
  "node.rejected": { kind: "refused", tell: (d) => [`Node ${name(d.id)} was refused`, `: ${because(d)}`] },
  "app.accepted": { kind: "change", tell: (d) => [`${name(d.id)} submitted`, ` to ${queueIn(d)}`] },
  "app.rejected": { kind: "refused", tell: (d) => [`Application ${name(d.id)} was refused`, `: ${because(d)}`] },
  "app.moved": { kind: "change", tell: (d) => [`${name(d.id)} moved`, ` from ${name(d.from)} to ${name(d.to)}`] },
  "app.state": { kind: "state", tell: (d) => [`${name(d.id)} is now ${name(d.to)}`, `: ${d.reason === "failed" ? "its gang was not complete in time, and its last allocation has left" : because(d)}`] },
  "ask.rejected": { kind: "refused", tell: (d) => [`Ask ${name(d.id)} of ${name(d.app)} ${d.reason === "gang-timeout" ? "ended" : "was refused"}`, `: ${because(d)}`] },
  "allocation": { kind: "placed", tell: (d) => [`${name(d.id)} placed on ${name(d.node)}`] },
  "release": { kind: "ended", tell: (d) => released[d.reason ?? ""]?.(name(d.id)) ?? [`${name(d.id)} ended`, `: ${because(d)}`] },
  "preemption": { kind: "preempted", tell: (d) => [`${name(d.id)} told to leave ${name(d.node)}`, ` ${cause(d)}${cutShort(d)}`] },
  "preemption.observed": {
    kind: "preempted", tell: (d) => [`${name(d.id)} would be told to leave ${name(d.node)}`, ` ${cause(d)}, but preemption only observes${cutShort(d)}`],
  },
  "preemption.lapsed": { kind: "preempted", tell: (d) => [`${name(d.node)} is no longer kept for ${name(d.for)}`, `: ${because(d)}`] },
  "placeholder.replaced": { kind: "replaced", tell: (d) => [`Placeholder ${name(d.id)} told to make room`, ` for ${name(d.for)}, which goes to ${name(d.node)}`] },
  "placeholder.timeout": {
    kind: "replaced", tell: (d) => [`Placeholder ${name(d.id)} ${d.node === undefined ? "withdrawn" : `told to leave ${d.node}`}`, `: ${placeholderEnds[d.reason ?? ""] ?? because(d)}`],
  },
  "walltime.exceeded": { kind: "ended", tell: (d) => [`${name(d.id)} told to leave ${name(d.node)}`, d.reason === "window" ? ": a window there has ended, or begins" : ": its walltime has passed"] },
  "plan": { kind: "reserved", tell: planned },
  "window.accepted": { kind: "change", tell: (d) => [`Window ${name(d.id)} added`] },
  "window.rejected": { kind: "refused", tell: (d) => [`Window ${name(d.id)} was refused`, `: ${because(d)}`] },
  "window.opened": { kind: "change", tell: (d) => [`Window ${name(d.id)} opened`, counted(d.nodes, ", with others still on", "node")] },
  "window.closed": { kind: "change", tell: (d) => [`Window ${name(d.id)} closed`] },
  "gang.fallback": { kind: "change", tell: (d) => [`Gang ${name(d.gang)} of ${name(d.app)} was not placed in time`, ": its members are placed one by one"] },
  "gang.broken": { kind: "change", tell: (d) => [`Gang ${name(d.gang)} of ${name(d.app)} is broken`, `: ${membersLeft(d)}, after ${gangLosses[d.reason ?? ""] ?? because(d)}`] },
  "gang.repaired": { kind: "change", tell: (d) => [`Gang ${name(d.gang)} of ${name(d.app)} is whole again`, `: ${membersLeft(d)}`] },
  "gang.ended": { kind: "ended", tell: (d) => [`Gang ${name(d.gang)} of ${name(d.app)} was broken for too long`, `: its last members leave (${membersLeft(d)})`] },
  "reservation": { kind: "reserved", tell: (d) => [`${name(d.node)} reserved for ${name(d.id)}`] },
  "unreservation": { kind: "reserved", tell: (d) => [`${name(d.node)} no longer reserved for ${name(d.id)}`, d.reason === undefined ? "" : `: ${because(d)}`] },
  "config.accepted": { kind: "change", tell: (d) => ["New configuration in force", counted(d.warnings, ", with", "warning")] },
  "config.rejected": { kind: "refused", tell: (d) => ["Configuration refused", `${counted(d.errors, ":", "error")}; the one in force stays`] },
  "queue.state": { kind: "state", tell: queueState },
  "policy.fault": {
    kind: "refused", tell: (d) => [`Policy ${name(d.policy)} did not answer properly`, `: ${because(d)}. ${d.fallback ? `${d.fallback} decides` : "Its fallback decides"} for a while`],
  },
  "ignored": { kind: "refused", tell: (d) => [`${name(d.input)} of ${name(d.id)} had no effect`, `: ${because(d)}`] },
};

const released: Readonly<Record<string, (id: string) => Told>> = {
  finished: (id) => [`${id} finished`],
  node_removed: (id) => [`${id} ended`, ": its node was removed"],
  app_removed: (id) => [`${id} ended`, ": its application was removed"],
  preempted: (id) => [`${id} left`, ", as it was told to"],
  timeout: (id) => [`${id} left`, ": its time was over"],
  replaced: (id) => [`${id} made room`, " for its task"],
  gang_broken: (id) => [`${id} left`, ": its gang was broken for too long"],
};

/** What a gang lost members by. */
const gangLosses: Readonly<Record<string, string>> = {
  failed: "a failure",
  node_removed: "the removal of a node",
  preempted: "a preemption",
  timeout: "the end of a walltime",
};

function membersLeft(d: Decision): string {
  return `${d.allocated ?? 0} of ${d.min ?? 0} members are there`;
}

/** Why a placeholder leaves without a task that takes its place. */
const placeholderEnds: Readonly<Record<string, string>> = {
  "timeout": "the time of its gang is over",
  "too-small": "the task of its group does not fit in its place",
  "app-completing": "its application completes",
  "gang-over": "its gang has failed",
};

/** The reason codes of docs/reference/journal.md that stand without a message. */
const reasons: Readonly<Record<string, string>> = {
  "duplicate": "the ID is taken",
  "no-queue": "it names no queue, and no rule places it",
  "unknown-queue": "no queue has this name",
  "not-a-leaf": "the queue is a parent",
  "queue-draining": "the queue takes no new applications",
  "unknown-application": "no live application has this ID",
  "unknown-node": "no node has this ID",
  "unknown-ask": "no ask and no allocation has this ID",
  "not-pending": "it is allocated already",
  "not-allocated": "it is still pending",
  "no-resources": "it asks for no resources",
  "invalid-config": "the configuration cannot be used",
  "unknown-partition": "no partition has this name",
  "not-placed": "no placement rule yields a queue that can be used",
  "access-denied": "the user may not submit to the queue",
  "name-too-long": "one of its names, or its texts together, are too long",
  "walltime-too-long": "the walltime is longer than its queue allows",
  "bad-tag": "a tag that sets a quota cannot be read",
  "gang-sort-policy": "gangs run only in queues that sort by fifo or stateaware",
  "gang-too-large": "its placeholders exceed a max or a limit",
  "not-a-gang": "its application has no placeholders",
  "no-task-group": "a placeholder has to name its task group",
  "app-failing": "its application has failed",
  "gang-mismatch": "other members of its gang have another minimum or timeout, or another setting",
  "gang-over-max": "its gang has as many members as its gang_max",
  "not-a-device-type": "the configuration names no such type of devices",
  "device-amount": "its devices and its amounts do not go together",
  "unknown-level": "the topology of the partition has no such level",
  "headroom": "a queue has too little left below its max",
  "max-applications": "a queue is at its maxapplications",
  "user-limit": "a limit of the user has too little left",
  "group-limit": "a limit of the group has too little left",
  "user-max-applications": "the user has as many applications as a limit allows",
  "group-max-applications": "the group has as many applications as a limit allows",
  "bad-manifest": "the manifest cannot be used",
  "unknown-policy": "no policy has this name",
  "ask-added": "an ask arrived",
  "first-allocation": "its first allocation",
  "second-allocation": "its second allocation",
  "starting-timeout": "5 minutes after its first allocation",
  "idle": "neither asks nor allocations are left",
  "completing-timeout": "no ask arrived for 30 seconds",
  "app-removed": "it was removed",
  "expired": "it completed 3 days ago",
  "gang-formed": "its placeholders have the room that it declared",
  "gang-timeout": "its gang was not complete in time",
  "gang-over": "its last placeholder is gone",
  "state-set": "the journal begins with this state",
  "too-small": "the task does not fit in the place of its placeholder",
  "app-completing": "its application completes",
  "removed": "it was removed",
  "restored": "the configuration names it again",
  "empty": "its last application is gone",
  "created": "a placement rule has created it",
  "moved": "its application moved to another queue",
  "failed": "it returned an error",
  "bad-answer": "the answer is not allowed",
  "impure": "it answered the same call in two ways",
  "unstable": "too many of its calls had to be made twice",
  "missing": "no policy answers under this name",
  "amount-overflow": "the sum of amounts would exceed 2^63-1",
  "bad-state": "its snapshot cannot be used",
  "state-differs": "the inputs before it describe other nodes, applications or asks",
  "not-startable": "its application may not receive allocations at the moment",
  "required-node": "the node is held for an ask that requires it",
  "no-headroom": "a max or a limit does not let it in any more",
  "landed-elsewhere": "its victims had not left in time, so it runs on another node",
  "withdrawn": "it was withdrawn",
  "node-removed": "the node was removed",
  "no-longer-fits": "it would not fit even with all its victims gone",
  "diverged": "a recorded answer belongs to another question",
  "bad-window": "its times or its nodes make no window",
  "unknown-window": "no window has this ID",
  "configured": "the configuration has it, and a reload without it ends it",
  "window": "a window bars the node",
  "planned": "it is new",
  "earlier": "it starts earlier",
  "node": "it starts then on another node",
  "outranked": "a higher priority, a preemption or a kept node took its room",
  "overrun": "an allocation stayed after its promised end, or promises a later one",
  "capacity": "nodes have less room, or a max or limit fell",
  "changed": "the ask, its walltime or its queue changed",
  "unplanned": "others come before it, and no more get plans",
  "barred": "it could not start even on an empty cluster",
  "out-of-reach": "it cannot start within the horizon",
};

/** What a reason code means; of one that is not known, the code itself. */
export function reasonWords(code: string): string {
  return reasons[code] ?? code;
}

/** A decision in a sentence without its full stop. */
export function words(d: Decision): string {
  return told(d).join("");
}

/** The same in two lines: what was decided, and why or where; the second may be empty. */
export function twoLines(d: Decision): readonly [what: string, why: string] {
  const [what, why = ""] = told(d);
  return [what, [why.replace(/^[:,; ]+/, ""), where(d)].filter(Boolean).join(" · ")];
}

function told(d: Decision): Told {
  return telling[d.type]?.tell(d) ?? [`${d.type} ${d.id ?? ""}`.trim()];
}

/** Decisions about an allocation that do not name its application and its queue in their sentence. */
const aboutOne = new Set(["allocation", "preemption", "preemption.observed", "placeholder.timeout", "walltime.exceeded"]);

function where({ type, app, queue, partition, resources }: Decision): string {
  if (!aboutOne.has(type)) return "";
  const of = [app !== undefined && `of ${app}`, queue !== undefined && `in ${name(shownPath(partition, queue))}`].filter(Boolean).join(" ");
  return [of, resources && amounts(parseQuantities(resources))].filter(Boolean).join(" · ");
}

export function kindOf(d: Decision): Kind {
  return telling[d.type]?.kind ?? "change";
}

function name(id: string | undefined): string {
  return id ?? "?";
}

function queueIn({ queue, partition }: Decision): string {
  return name(shownPath(partition, queue));
}

function queueState(d: Decision): Told {
  if (d.reason === "created") return [`Queue ${queueIn(d)} created`, `: ${because(d)}`];
  if (d.reason === "empty" && d.from === "active") return [`Queue ${queueIn(d)} is gone`, ": a placement rule had created it, and its last application is gone"];
  return [`Queue ${queueIn(d)} is now ${name(d.to)}`, `: ${because(d)}`];
}

/** When and where a blocked ask, or the gang that it is of, starts at the latest. */
function planned(d: Decision): Told {
  const what = d.gang === undefined ? name(d.id) : `Gang ${d.gang} of ${name(d.app)}`;
  if (d.start === undefined) return [`${what} has no planned start any more`, `: ${because(d)}`];
  const where = d.node ?? d.nodes?.join(", ");
  return [`${what} starts at the latest at ${d.start}${where === undefined ? "" : ` on ${where}`}`, d.reason === "planned" ? "" : `: ${because(d)}`];
}

/** For whose sake an allocation leaves: an ask, or a queue that uses more than its max. */
function cause(d: Decision): string {
  return d.quota === undefined ? `for ${name(d.for)}` : `since queue ${d.quota} uses more than its max`;
}

function because(d: Decision): string {
  return d.message ?? reasons[d.reason ?? ""] ?? d.reason ?? "no reason is given";
}

function cutShort(d: Decision): string {
  return d.approximate ? " (others might have done less harm: the search was cut short)" : "";
}

function counted(list: readonly string[] | undefined, before: string, what: string): string {
  if (!list?.length) return "";
  return `${before} ${list.length} ${what}${list.length === 1 ? "" : "s"}`;
}
