/** Explanations as the host writes them, read into what the inspector's parts take. */

import type { AppExplanation, AskExplanation, Candidate, PreemptionExplanation, QueueExplanation, Setting, VictimExplanation } from "../../engine/types";
import { parseDuration } from "../../model/times";
import type { Before } from "../../why/here-words";
import { amountsOf, quantityOf, queueOf, type QueueObject, type Written } from "./objects";
import { nanoseconds } from "./times";

type Written1 = Readonly<Record<string, unknown>>;

const times = new Set(["since", "at", "due", "ends_at", "until", "submitted", "start", "ends", "from"]);
const amounts = new Set(["missing", "needs", "most", "used", "guaranteed", "limit", "max"]);
const sets = new Set(["declared", "staying", "excess", "resources"]);
const names: Readonly<Record<string, string>> = {
  ends_at: "endsAt", task_group: "group", in_the_way: "inWay", attributes: "mismatches", required_node: "required", required_node_missing: "noSuchNode",
  preempt_others: "preempts", planned_start: "planned",
};

/** How an allocation came about; undefined: the host does not tell. */
export interface HostPlacement {
  readonly before: Before;
  readonly node: string;
  readonly submitted: number;
  readonly allocated: number;
  readonly waits: readonly { readonly from: number; readonly reasons: readonly string[] }[];
}

interface WrittenCandidate {
  readonly node: string;
  readonly fits: boolean;
  readonly reason?: string;
  readonly detail?: string;
  /** Null: it is not known. */
  readonly score: number | null;
}

interface WrittenPlacement extends Pick<AskExplanation, "fits" | "nodes" | "reserved" | "kept"> {
  readonly submitted: string;
  readonly allocated: string;
  readonly node: string;
  readonly node_policy?: string;
  readonly candidates?: readonly WrittenCandidate[];
  readonly waits?: readonly { readonly from: string; readonly reasons: readonly string[] }[];
}

export function hostPlacement({ placement }: Written1): HostPlacement | undefined {
  if (!placement) return undefined;
  const { submitted, allocated, node, node_policy: nodePolicy = "", candidates = [], waits = [], ...rest } = placement as WrittenPlacement;
  const before = { ...rest, node, nodePolicy, candidates: candidates.map(candidateOf) };
  return { before, node, submitted: nanoseconds(submitted), allocated: nanoseconds(allocated), waits: waits.map(({ from, reasons }) => ({ from: nanoseconds(from), reasons })) };
}

function candidateOf({ score, ...one }: WrittenCandidate): Candidate {
  return { ...one, ...(score === null ? { unscored: true } : { score }) };
}

export function askExplanation(written: Written1): AskExplanation {
  const { ask, victim, atomic, candidates, shorter, ...rest } = written;
  const gang = atomic as Written1 | undefined;
  const walltime = shorter as { readonly walltime: string; readonly node: string } | undefined;
  return {
    ...translated(rest), id: String(ask), candidates: ((candidates ?? []) as readonly WrittenCandidate[]).map(candidateOf), ...(victim ? { victim: taken(victim as Written1) } : {}),
    ...(walltime ? { shorter: { node: walltime.node, walltime: parseDuration(walltime.walltime) } } : {}),
    ...(gang ? { atomic: { ...translated(gang), id: String(gang.id), ends: typeof gang.ends_at === "string" ? nanoseconds(gang.ends_at) : undefined } } : {}),
  };
}

export function appExplanation(written: Written1): AppExplanation {
  const { app, priority, gang, ...rest } = written;
  const its = gang as Written1 | undefined;
  return {
    ...translated(rest), id: String(app), hasPriority: typeof priority === "number", priority: typeof priority === "number" ? priority : undefined,
    ...(its ? { gang: { ...translated(its), timed: its.ends_at !== undefined } } : {}),
  };
}

export function queueExplanation(written: Written1): QueueExplanation {
  const { reasons, lacks, quota, template, text, fence, settings, application_sort: sort, fair_share_billionths: share, ...queue } = written;
  const inForce = Object.entries((settings ?? {}) as Readonly<Record<string, Omit<Setting, "name">>>);
  return {
    ...translated({ reasons, lacks, quota, text, fence }), template: template as string | undefined, settings: inForce.map(([name, one]) => ({ name, ...one })),
    queueState: { ...queueOf({ ...queue, app_sort: sort } as unknown as QueueObject), fairShare: share as number | undefined },
  };
}

export function preemptionExplanation(written: Written1): PreemptionExplanation {
  const { ask, ...rest } = written;
  return { ...translated(rest), id: String(ask) };
}

/** A victim has what is said of it beside what is said of its preemption. */
function taken(written: Written1): VictimExplanation {
  const { id, app, queue, priority, kind, originator, opted_out: optedOut, common, seen, for_seen: forSeen, over, ...rest } = written;
  const victim = translated({ app, queue, priority, kind, originator, optedOut, common, seen, forSeen, over });
  return { ...translated(rest), victim: { ...victim, id: String(id) } };
}

/** Names in camel case, times and amounts as numbers. */
function translated(written: Written1): Record<string, never> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(written)) {
    if (value === undefined || value === null) continue;
    out[names[key] ?? key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())] = valueOf(key, value, written.type);
  }
  return out as Record<string, never>;
}

function valueOf(key: string, value: unknown, type: unknown): unknown {
  if (times.has(key) && typeof value === "string") return nanoseconds(value);
  if (sets.has(key)) return amountsOf(value as Written);
  if (amounts.has(key) && (typeof value === "number" || typeof value === "string")) return typeof type === "string" && type !== "" ? quantityOf(type, value) : value;
  if (Array.isArray(value)) return value.map((one: unknown) => (typeof one === "object" && one !== null ? withType(one as Written1) : one));
  return typeof value === "object" ? translated(value as Written1) : value;
}

/** What names no resource type is about applications, or about nodes as a whole. */
function withType(one: Written1): unknown {
  return "missing" in one && one.type === undefined ? translated({ ...one, type: "" }) : translated(one);
}
