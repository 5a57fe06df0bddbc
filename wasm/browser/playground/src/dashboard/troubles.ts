/** What an operator has to know of first: what is wrong with the host and with its cluster. */

import type { QueueDump } from "../engine/types";
import { amount, amounts, count, duration } from "../ui/format";
import { inOrder } from "../model/quantities";
import type { PolicyObject } from "./host/objects";
import { timeOfDay } from "./host/times";
import { addressOf } from "./route";

export interface Trouble {
  /** Something fails; otherwise it is as it was configured, or as it is used, and still holds something back. */
  readonly grave: boolean;
  readonly text: string;
  /** Where more is told of it; "": nowhere. */
  readonly address: string;
}

/** What the host says of itself, as far as it is read here. */
export interface Stats {
  readonly cluster: { readonly nodes: number; readonly drained: number };
  readonly store: { readonly failed?: string };
  readonly view: { readonly lag_seconds: number };
  readonly configuration: { readonly refused: readonly Refusal[] };
}

/** A queue configuration that is not in force. */
export interface Refusal {
  readonly source: "file" | "configmap" | "api";
  readonly file?: string;
  /** When the first one of this source was refused. */
  readonly since: string;
  /** The first of so many errors. */
  readonly error: string;
  readonly errors: number;
}

export interface Condition {
  readonly stats?: Stats | undefined;
  readonly policies?: readonly PolicyObject[] | undefined;
  readonly queues: readonly QueueDump[];
}

/** Seconds that readers may be behind. */
const mostBehind = 5;
/** So many queues are named, for each thing that can be wrong with them. */
const mostQueues = 5;

/** What is wrong, the gravest first. */
export function troublesOf({ stats, policies = [], queues }: Condition): readonly Trouble[] {
  const all = [...(stats ? ofHost(stats) : []), ...(stats?.configuration.refused ?? []).map(ofRefusal), ...policies.flatMap(ofPolicy), ...ofQueues(queues)];
  return [...all.filter(({ grave }) => grave), ...all.filter(({ grave }) => !grave)];
}

function ofHost({ cluster: { nodes, drained }, store: { failed }, view: { lag_seconds: behind } }: Stats): readonly Trouble[] {
  const list: Trouble[] = [];
  if (failed) list.push({ grave: true, text: `The host cannot write its record, and accepts no inputs: ${failed}`, address: "" });
  if (behind > mostBehind) list.push({ grave: true, text: `This page is ${duration(Math.round(behind) * 1e9)} behind the scheduler.`, address: "" });
  if (nodes > 0 && drained === nodes) list.push({ grave: true, text: "All nodes are drained: no ask can be placed.", address: addressOf("nodes") });
  else if (drained > 0) list.push({ grave: false, text: `${count(drained, "node")} of ${nodes} ${drained === 1 ? "is" : "are"} drained: no ask is placed there.`, address: addressOf("nodes", "", { state: "drained" }) });
  return list;
}

function ofRefusal({ source, file = "", since, error, errors }: Refusal): Trouble {
  const what = { file: `The configuration file ${file}`, configmap: `The configuration file ${file} of a ConfigMap`, api: "A configuration sent over the API" }[source];
  return { grave: source !== "api", text: `${what} has been refused since ${timeOfDay(since)}, and the previous configuration stays in force: ${error}${errors > 1 ? `, and ${count(errors - 1, "more error", "more errors")}` : ""}`, address: addressOf("configuration") };
}

function ofPolicy({ policy, state, quarantine, last_fault: fault, refused }: PolicyObject): readonly Trouble[] {
  const address = addressOf("policies", policy);
  const list: Trouble[] = [];
  if (state === "quarantined") list.push({ grave: true, text: `Policy ${policy} failed: ${fault ? `${fault.fallback} decides in its place` : "its fallback decides"}${quarantine ? ` until ${timeOfDay(quarantine)}` : ""}.`, address });
  if (refused) list.push({ grave: state === "refused", text: `The files of policy ${policy} are refused${state === "refused" ? "." : "; the previous version stays in force."}`, address });
  return list;
}

function ofQueues(queues: readonly QueueDump[]): readonly Trouble[] {
  const about = (text: (queue: QueueDump) => string, rest: (n: number) => string): readonly Trouble[] => {
    const found = queues.flatMap((queue) => {
      const said = text(queue);
      return said === "" ? [] : [{ grave: false, text: said, address: addressOf("queues", queue.path) }];
    });
    const more = found.length - mostQueues;
    return more > 0 ? [...found.slice(0, mostQueues), { grave: false, text: rest(more), address: addressOf("queues") }] : found;
  };
  return [...about(overMax, (n) => `${count(n, "more queue")} over their max.`), ...about(short, (n) => `${count(n, "more queue")} below their guarantees have asks pending.`),
    ...about(closed, (n) => `${count(n, "more queue")} accept no new applications.`)];
}

function overMax({ path, used = {}, max = {} }: QueueDump): string {
  const excess = Object.fromEntries(Object.entries(max).map(([type, most]) => [type, (used[type] ?? 0) - most] as const).filter(([, by]) => by > 0));
  return Object.keys(excess).length > 0 ? `${path} uses ${amounts(excess)} more than its max.` : "";
}

/** A queue that does not get what it is guaranteed, though it asks for it. */
function short({ path, leaf, used = {}, guaranteed = {}, pending = {} }: QueueDump): string {
  if (!leaf) return "";
  const [type] = inOrder(new Set(Object.keys(guaranteed))).filter((name) => (used[name] ?? 0) < (guaranteed[name] ?? 0) && (pending[name] ?? 0) > 0);
  return type === undefined ? "" : `${path} waits below its guarantee: it uses ${amount(type, used[type] ?? 0)} of ${amount(type, guaranteed[type] ?? 0)} ${type}.`;
}

function closed({ path, state = "active" }: QueueDump): string {
  return state === "active" ? "" : `${path} is ${state}: it accepts no new applications.`;
}
