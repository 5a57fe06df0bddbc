/**
 * What the codes of the scheduler's explanations mean, in words. There is a table for each kind of code; words.test.ts reads
 * the codes from the scheduler's source and sees to it that none is left out.
 */

import type { HeadroomShortfall } from "../engine/types";
import { amountOf, count } from "../ui/format";

type Words = Readonly<Record<string, string>>;

interface Cause {
  /** What holds it back, as the rest of "It waits because …". */
  readonly because: string;
  /** What would help. */
  readonly help: string;
}

/** Why an ask, an application or a queue waits. */
export const waiting: Readonly<Record<string, Cause>> = {
  "headroom": {
    because: "a queue on its path has too little left below its max",
    help: "An allocation has to end in that queue, or its max has to be raised. More nodes would not help.",
  },
  "user-limit": {
    because: "a limit of its user has too little left",
    help: "An allocation of the user has to end in that queue, or the limit has to be raised.",
  },
  "group-limit": {
    because: "a limit of its group has too little left",
    help: "An allocation of the group has to end in that queue, or the limit has to be raised.",
  },
  "no-node-fits": {
    because: "no node can take it now",
    help: "An allocation has to end on a node, or a suitable node has to be added.",
  },
  "max-applications": {
    because: "its application may not start yet",
    help: "An application of a queue that is at its maxapplications has to complete first.",
  },
  "user-max-applications": {
    because: "its user may not start another application",
    help: "An application of the user has to complete in the queue whose limit is reached.",
  },
  "group-max-applications": {
    because: "its group may not start another application",
    help: "An application of the group has to complete in the queue whose limit is reached.",
  },
  "state-filter": {
    because: "another application of its queue has to start first",
    help: "The queue is stateaware: it lets one application start at a time, until its second allocation or for 5 minutes.",
  },
  "policy": {
    because: "the order of its queue does not let its application run now",
    help: "The policy that orders the applications of the queue decides when it may.",
  },
  "waits-for-gang": {
    because: "its gang is not formed",
    help: "The placeholders of its gang have to be placed, or their time has to run out; after that the remaining ones have to leave.",
  },
  "waits-for-placeholder": {
    because: "it has to take the place of a placeholder, and fits none now",
    help: "A placeholder of its task group has to be on a node where it fits, or none may be left.",
  },
  "waits-for-release": {
    because: "the placeholder whose place it takes has yet to leave",
    help: "Its resources are kept until the placeholder has left.",
  },
  "gang-incomplete": {
    because: "its gang has too few members pending",
    help: "More members have to be submitted: the gang is placed by its minimum at once, or not at all.",
  },
  "gang-does-not-fit": {
    because: "too few members of its gang fit at the same time",
    help: "Room for the minimum of the gang has to be free at one moment; until then it holds nothing.",
  },
  "gang-set-incomplete": {
    because: "too few gangs of its set have enough members pending",
    help: "More gangs have to be submitted: as many as the set says start together, or none.",
  },
  "gang-set-does-not-fit": {
    because: "too few gangs of its set fit at the same time",
    help: "Room for all gangs that start together has to be free at one moment; until then they hold nothing.",
  },
  "not-running": {
    because: "its application gets no allocations in its state",
    help: "A Resuming application continues when its last placeholder has left; a Completing one gets no more allocations.",
  },
  "waits-for-victims": {
    because: "its victims have yet to leave",
    help: "A node is kept for it until they have, and its room in the queues too. No other node is tried meanwhile.",
  },
  "planned-starts": {
    because: "it would take room in a queue or at a limit from asks with planned starts",
    help: "A planned ask has to start and end, or this one needs a shorter walltime.",
  },
  "not-scheduled-yet": {
    because: "the next cycle has not reached it yet",
    help: "Nothing holds it back.",
  },
  "nothing-pending": { because: "nothing is pending", help: "" },
};

/** What speaks against a node. `{}` stands for the resource type, the attribute or the code that decides. */
export const nodeCauses: Words = {
  "draining": "draining",
  "not-the-required-node": "not the one node that it requires",
  "constraint": "without an allowed value of {}",
  "too-small": "too little {} even when empty",
  "window": "barred by window {}",
  "kept": "kept for asks that preempted there",
  "full": "too little {} free",
  "devices": "with {} in sum, but not on one device",
  "reserved": "reserved for other asks",
  "planned": "with room that is planned for other asks",
  "predicate": "ruled out by a check of the host or by a policy (answer: {})",
};

/** Why a pending ask has no planned start, after "It has no planned start:". */
export const noPlan: Words = {
  "unplanned": "other blocked asks come before it, and no more of them get one (backfill.depth)",
  "barred": "it could not start even if no other ask were running",
  "out-of-reach": "it cannot start within the horizon (backfill.horizon)",
  "unbounded": "allocations in its way promise no end, since they have no walltime",
  "required-node": "asks that require a node have their node held for them instead",
  "headroom-only": "it lacks the headroom of queues alone, and only backfill.depth all plans for such asks",
};

/** Why a planned start moved later. */
export const slips: Words = {
  "outranked": "a higher priority, a preemption or a kept node took its room",
  "overrun": "an allocation stayed after its promised end, or promises a later one",
  "capacity": "nodes have less room, or a max or limit fell",
  "changed": "the ask, its walltime or its queue changed",
  "window": "a window came or opened",
};

/** How a dry run of preemption ends. */
export const verdicts: Words = {
  "preempts": "It would preempt.",
  "waits-for-victims": "It has preempted, and waits for its victims to leave.",
  "preempts-nobody": "It may not preempt: it was submitted that way.",
  "surplus-ask": "It may not preempt: its gang has the members that it needs.",
  "waits-for-gang": "It may not preempt: it waits for its gang, or for the place of a placeholder.",
  "waits-for-set": "It may not preempt: its gang starts together with other gangs of its set.",
  "gang-incomplete": "It may not preempt: its gang preempts as a whole, and has too few members.",
  "may-not-start": "It may not preempt, since its application may receive no allocations now.",
  "limited": "It may not preempt: it would still exceed a limit of its user or group.",
  "no-node": "It cannot preempt: no node would take it even if nothing were allocated there.",
  "drained": "It cannot preempt: the nodes that would hold it are drained.",
  "over-max": "It cannot preempt: it alone is larger than the max of a queue on its path.",
  "needs-nobody": "It needs no victims: a node has room for it, now or when the chosen victims have left.",
  "switched-off": "It may not preempt: preemption is switched off for the partition.",
  "disabled": "It may not preempt: preemption is disabled for its queue.",
  "fenced": "It may not preempt: its preemption fence ends where its guarantees begin.",
  "not-entitled": "It may not preempt: for every resource type that it needs, the nearest of its queues with a guarantee has used it up, or none has one.",
  "no-victims": "It may preempt, but no node has enough preemptable allocations.",
};

/** What helps an ask that may not take victims. */
export const remedies: Words = {
  "preempts-nobody": "It was submitted with preempt_others: false.",
  "surplus-ask": "Room that no other ask of its priority in its queue needs.",
  "waits-for-gang": "Its placeholders preempt where they may; tasks take their places.",
  "waits-for-set": "Room for as many gangs as the set says.",
  "gang-incomplete": "More members of its gang.",
  "may-not-start": "Look at its application: what keeps it from starting keeps it from preempting too.",
  "limited": "The end of an allocation of its user or group, or a higher limit.",
  "no-node": "A larger node, or another constraint.",
  "drained": "Resuming one of them.",
  "over-max": "A higher max, or a smaller ask.",
  "needs-nobody": "Waiting.",
  "switched-off": "The key preemption.enabled, or preemption.intra-queue on its queue.",
  "disabled": "The property preemption.policy of its queue, or of one above.",
  "fenced": "Move the fence or the guarantee.",
  "not-entitled": "A higher guaranteed for its queue, or for one above.",
  "no-victims": "The obstacles on the closest node are listed below.",
};

/** What protects an allocation from an ask. */
export const protections: Words = {
  "leaving": "already told to leave",
  "same-application": "of the same application (law 3)",
  "required-node": "bound to their node",
  "same-queue": "of its own queue",
  "switched-off": "out of reach, since the partition has preemption off",
  "asker-disabled": "out of reach, since preemption is disabled for the ask's own queue",
  "disabled": "of a queue for which preemption is disabled",
  "fence": "outside its fence (law 7)",
  "not-entitled": "where it is not entitled (law 4)",
  "priority": "of too high a priority (law 6)",
  "guaranteed": "needed for a guarantee (laws 2 and 5)",
  "gang": "of a gang that leaves as a whole, of which another member may not leave (law 8)",
  "gang-guaranteed": "of a gang that leaves as a whole, and is larger than what its queue uses beyond its guaranteed (laws 2 and 8)",
  "min-runtime": "spared for now by preemption.min-runtime",
  "budget": "spared for now by the preemption.budget of a queue",
  "gang-over-budget": "of a gang that leaves as a whole, and is larger than the preemption.budget of a queue (law 8)",
  "reserved": "on a node that is reserved or kept for another ask",
};

/** By what the best set on another node is worse. */
export const worse: Words = {
  "more-originators": "it has more originators",
  "more-opted-outs": "more of them asked not to be preempted",
  "less-surplus": "more of them are no surplus of elastic gangs",
  "higher-priority": "its highest priority is higher",
  "more-gangs": "it ends more gangs",
  "rank": "the policy ranks it lower",
  "more-victims": "it has more victims",
  "higher-priorities": "its priorities are higher",
  "more-excess": "it would leave more free than is needed",
  "smaller-shares": "their leaves have used less",
  "older": "it is equal but older",
};

/** By what right an ask, `{}`, takes victims. */
export const rights: Words = {
  "guarantee": "the queue of {} is below its guarantee",
  "queue": "their queue lets higher priorities preempt lower ones",
  "quota": "the queue {} uses more than its max",
  "required-node": "{} runs on that node or nowhere",
  "surplus": "their gangs run on without them, and {} has waited for its delay",
};

/** Why a queue that uses more than its max releases nothing, or not yet, after "It releases nothing". `{}` stands for the queue above. */
export const quotaFaults: Words = {
  "switched-off": "preemption by quota is off in the partition (preemption.quotapreemptionenabled)",
  "no-delay": "no quota.preemption.delay is in force for it",
  "root": "it applies only to queues below root",
  "dynamic": "a placement rule created it: it applies only to configured queues",
  "no-candidates": "none of its allocations may be preempted; it is checked again when its usage or its configuration changes",
  "waits-for-queue-above": "the victims of {} have yet to leave",
};

/** What an application does in a state. */
export const appStates: Words = {
  "New": "it has no asks yet",
  "Accepted": "it has no allocations yet",
  "Starting": "it has its first allocation",
  "Running": "it runs",
  "Resuming": "its gang was not complete in time, and its placeholders have yet to leave",
  "Completing": "it has no asks or allocations, and ends soon",
  "Completed": "it has ended",
  "Rejected": "it was rejected",
  "Failing": "its gang was not complete in time, and its allocations have yet to leave",
  "Failed": "its gang was not complete in time",
  "Expired": "it ended long ago",
};

/** Why a placement rule does not place an application, after the queue or the name that it is about. */
export const ruleFaults: Words = {
  "filter": "its filter excludes the user",
  "no-name": "there is no value to make a queue name from",
  "bad-name": "is not the name of a queue",
  "too-deep": "has too many levels",
  "recovery": "is kept for recovery",
  "absent": "does not exist, and the rule creates no queue",
  "parent": "is a parent",
  "leaf": "is a leaf",
  "draining": "is draining",
  "no-access": "is not open to the user",
};

/** The words of a code; of one that is not known, the code itself. */
export function inWords(words: Words, code: string | undefined, detail = ""): string {
  return (words[code ?? ""] ?? code ?? "").replace("{}", () => detail || "something");
}

interface Waits {
  /** What waits. */
  readonly who?: string;
  /** What its queues are short of: said in place of "a queue". */
  readonly lacks?: readonly HeadroomShortfall[] | undefined;
}

/** Why something waits, in one sentence. */
export function waitsBecause(reasons: readonly string[], { who = "It", lacks = [] }: Waits = {}): string {
  const causes = causesOf(reasons, lacks);
  if (causes === "") return "";
  if (reasons[0] === "nothing-pending") return "Nothing is pending.";
  return `${who} waits because ${causes}.`;
}

/** The causes of a wait, as the rest of a sentence; "" without any. */
export function causesOf(reasons: readonly string[], lacks: readonly HeadroomShortfall[] = []): string {
  return listed(reasons.map((code) => (code === "headroom" && lacks.length > 0 ? lacking(lacks) : waiting[code]?.because ?? code)));
}

function lacking(lacks: readonly HeadroomShortfall[]): string {
  const [{ queue = "", type, missing = 0 } = { type: "" }] = lacks;
  const others = new Set(lacks.map((lack) => lack.queue)).size - 1;
  return `${queue} lacks ${amountOf(type, missing)}${others > 0 ? `, and ${count(others, "queue")} above it ${others === 1 ? "is" : "are"} short too` : ""}`;
}

interface Help {
  readonly lacks?: readonly HeadroomShortfall[] | undefined;
  /** The ask can never run as things are: what is said of room would only hold for one that can. */
  readonly forever?: boolean;
}

/** Whether a reason is that there is too little room. */
export function isRoom(code: string): boolean {
  return code === "headroom" || code === "no-node-fits";
}

/** What would help against a reason to wait; empty: nothing that ends. */
export function helpFor(code: string, { lacks = [], forever = false }: Help = {}): string {
  if (forever && isRoom(code)) return "";
  const full = lacks.every((lack) => lack.queue === "root");
  return code === "headroom" && full ? "The cluster is full: an allocation has to end, or a node has to be added." : waiting[code]?.help ?? code;
}

/** Joins as a sentence does. */
export function listed(parts: readonly string[]): string {
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}` : parts.join("");
}
