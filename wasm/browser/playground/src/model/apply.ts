/** What each line means for the model. Lines of inputs say whether the scheduler refused them. */

import type { Decision } from "../engine/types";
import { isDecision, type Ask, type Input, type Line } from "./lines";
import { gangOf } from "./gangs";
import type { AskModel } from "./model";
import type { Objects } from "./objects";
import { shownPath, splitPath } from "./paths";
import { parseQuantities } from "./quantities";

export function apply(cluster: Objects, line: Line): void {
  if (isDecision(line)) decided(cluster, line);
  else happened(cluster, line);
}

function happened(cluster: Objects, input: Input): void {
  if (input.refused !== undefined) return;
  switch (input.type) {
    case "node.add":
      addNode(cluster, input);
      break;
    case "node.update":
      updateNode(cluster, input);
      break;
    case "node.drain":
    case "node.resume":
      schedule(cluster, input.id, input.type === "node.resume");
      break;
    case "node.remove":
      removeNode(cluster, input.id);
      break;
    case "ask.add":
    case "allocation.restore":
      addAsk(cluster, input, cluster.times.of(input.at));
      break;
    case "ask.update":
      updateAsk(cluster, input);
      break;
    case "ask.remove":
      withdraw(cluster, input.id);
      break;
    case "allocation.release":
      succeed(cluster, input);
      break;
    default: // what it means is told by decisions
  }
}

type Of<Type extends Input["type"]> = Extract<Input, { type: Type }>;

function addNode(cluster: Objects, { id, capacity, occupied = {}, attributes = {}, schedulable = true }: Of<"node.add">): void {
  cluster.addNode({ id, capacity: parseQuantities(capacity), occupied: parseQuantities(occupied), attributes, schedulable });
}

function updateNode(cluster: Objects, { id, capacity, occupied, attributes }: Of<"node.update">): void {
  const node = cluster.nodes.get(id);
  if (!node) return;
  if (capacity) cluster.resizeNode(node, parseQuantities(capacity));
  if (occupied) node.occupied = parseQuantities(occupied);
  if (attributes) node.attributes = attributes;
  node.version = cluster.version;
}

function schedule(cluster: Objects, id: string, schedulable: boolean): void {
  const node = cluster.nodes.get(id);
  if (!node) return;
  node.schedulable = schedulable;
  node.version = cluster.version;
}

function removeNode(cluster: Objects, id: string): void {
  const node = cluster.nodes.get(id);
  if (!node) return;
  cluster.removeNode(node);
}

function addAsk(cluster: Objects, input: Ask & { placed_on?: string }, at: number): void {
  const app = cluster.apps.get(input.app);
  if (!app) return;
  const ask = cluster.addAsk(app, input, at);
  if (input.placed_on === undefined) cluster.waiting.set(ask.id, ask);
  else cluster.place(ask, cluster.nodes.get(input.placed_on), at);
}

function updateAsk(cluster: Objects, { id, priority, resources }: Of<"ask.update">): void {
  const ask = cluster.waiting.get(id);
  if (!ask) return;
  if (resources) ask.resources = parseQuantities(resources);
  if (priority !== undefined) ask.priority = priority;
}

/** A member that has succeeded is not needed any more. */
function succeed(cluster: Objects, { id, failed }: Of<"allocation.release">): void {
  const ask = cluster.asks.get(id);
  const gang = ask && gangOf(cluster, ask);
  if (gang && !ask.leaves && !failed) gang.min = Math.max(0, gang.min - 1);
}

function withdraw(cluster: Objects, id: string): void {
  const ask = cluster.waiting.get(id);
  if (ask) cluster.remove(ask);
}

function decided(cluster: Objects, decision: Decision): void {
  const at = cluster.times.of(decision.at);
  switch (decision.type) {
    case "preemption.lapsed":
      lapse(cluster, decision);
      break;
    case "node.accepted": {
      const node = cluster.nodes.get(decision.id ?? "");
      if (node) node.partition = decision.partition;
      break;
    }
    case "app.accepted":
      submit(cluster, decision, at);
      break;
    case "app.moved":
      moveTo(cluster, decision);
      break;
    case "ask.rejected":
      if (decision.reason === "gang-timeout") withdraw(cluster, decision.id ?? ""); // the other reasons are about asks that never were
      break;
    case "gang.broken":
    case "gang.repaired":
    case "gang.ended":
    case "gang.fallback":
      changeGang(cluster, decision);
      break;
    case "app.state":
      changeState(cluster, decision);
      break;
    default: {
      const ask = cluster.asks.get(decision.id ?? "");
      if (ask) move(cluster, ask, decision, at);
    }
  }
}

function submit(cluster: Objects, { id = "", queue = "", partition }: Decision, at: number): void {
  cluster.apps.delete(id); // the order is that of submission, and the last of the ID counts
  cluster.apps.set(id, { id, queue: shownPath(partition, queue), state: "New", submitted: at, asks: new Map(), gangs: new Map() });
}

function changeGang(cluster: Objects, { type, app = "", gang = "", min }: Decision): void {
  const known = cluster.apps.get(app)?.gangs.get(gang);
  if (!known) return;
  known.broken = type === "gang.broken";
  known.single ||= type === "gang.fallback";
  known.min = min ?? known.min;
  for (const ask of cluster.apps.get(app)?.asks.values() ?? []) {
    const node = ask.gang === gang ? cluster.nodes.get(ask.node ?? "") : undefined;
    if (!node) continue;
    node.version = cluster.version;
    if (type === "gang.ended") leave(cluster, ask, undefined);
  }
}

/** An application does not leave its partition. */
function moveTo(cluster: Objects, { id = "", to = "" }: Decision): void {
  const app = cluster.apps.get(id);
  if (app) app.queue = shownPath(splitPath(app.queue).partition, to);
}

/** Reports whether nothing of an application is left but its record. */
export function hasEnded(state: string): boolean {
  return state === "Completed" || state === "Failed";
}

function changeState(cluster: Objects, { id = "", to = "" }: Decision): void {
  const app = cluster.apps.get(id);
  if (to === "Expired") {
    expire(cluster, id);
    return;
  }
  if (!app) return;
  app.state = to;
  if (to === "Failing") for (const ask of [...app.asks.values()]) if (ask.node === undefined) cluster.remove(ask);
  if (!hasEnded(to)) return;
  for (const ask of [...app.asks.values()]) cluster.remove(ask);
  cluster.ended.set(id, (cluster.ended.get(id) ?? 0) + 1);
}

function expire(cluster: Objects, id: string): void {
  const left = (cluster.ended.get(id) ?? 1) - 1;
  if (left > 0) {
    cluster.ended.set(id, left);
    return;
  }
  cluster.ended.delete(id);
  if (hasEnded(cluster.apps.get(id)?.state ?? "")) cluster.apps.delete(id);
}

/** A kept node is free again; its ask may be gone. */
function lapse(cluster: Objects, decision: Decision): void {
  const ask = cluster.asks.get(decision.for ?? "");
  if (ask) cluster.keep(ask, undefined);
}

/** Decisions about an ask or its allocation. */
function move(cluster: Objects, ask: AskModel, decision: Decision, at: number): void {
  const node = cluster.nodes.get(decision.node ?? "");
  switch (decision.type) {
    case "allocation":
      cluster.waits.sum += at - ask.submitted;
      cluster.waits.count++;
      cluster.place(ask, node, at);
      break;
    case "release":
      cluster.released = ask;
      cluster.remove(ask);
      break;
    case "reservation":
      cluster.reserve(ask, node);
      break;
    case "unreservation":
      cluster.reserve(ask, undefined);
      break;
    case "preemption":
      leave(cluster, ask, decision.for);
      keepFor(cluster, ask, decision.for);
      break;
    case "placeholder.replaced":
      leave(cluster, ask, decision.for);
      break;
    case "walltime.exceeded":
      leave(cluster, ask, undefined);
      break;
    case "placeholder.timeout":
      if (decision.node === undefined) cluster.remove(ask);
      else leave(cluster, ask, undefined);
      break;
    default:
  }
}

/** Notes that an allocation was told to leave, and for which ask, if for one. */
function leave(cluster: Objects, allocation: AskModel, ask: string | undefined): void {
  allocation.leaves = true;
  allocation.leaving = ask;
  const node = cluster.nodes.get(allocation.node ?? "");
  if (node) node.version = cluster.version;
}

/** The node of a victim is kept for the ask that preempts. */
function keepFor(cluster: Objects, victim: AskModel, ask: string | undefined): void {
  const keeper = cluster.asks.get(ask ?? "");
  if (keeper) cluster.keep(keeper, cluster.nodes.get(victim.node ?? ""));
}
