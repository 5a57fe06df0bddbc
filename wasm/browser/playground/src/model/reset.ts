import type { AppDump, AskDump, NodeDump, StateAnswer } from "../engine/types";
import type { AppModel, AskModel } from "./model";
import { hasEnded } from "./apply";
import type { Objects } from "./objects";
import { shownPath } from "./paths";
import { nothing } from "./quantities";

/** Makes the model what the scheduler says it is, whatever it was. */
export function reset(cluster: Objects, { nodes = [], applications = [], gangs = [] }: StateAnswer): void {
  cluster.clear();
  for (const { partition, id, capacity = nothing(), occupied = nothing(), attributes = {}, schedulable = false } of nodes) {
    cluster.addNode({ id, partition, capacity, occupied, attributes, schedulable });
  }
  const gangOfMember = new Map<string, string>();
  for (const { id, members = [] } of gangs) for (const member of members) gangOfMember.set(member, id);
  const pending: AskModel[] = [];
  const allocated = new Map<string, number>();
  for (const app of applications) {
    const made = takeApp(cluster, app);
    for (const dump of app.asks ?? []) {
      const ask = takeAsk(cluster, made, dump, gangOfMember.get(dump.id));
      if (dump.node === undefined) pending.push(ask);
      else allocated.set(ask.id, cluster.times.ofState(dump.allocated ?? 0));
    }
  }
  for (const { app = "", id, min = 0, broken = false, single = false } of gangs) cluster.apps.get(app)?.gangs.set(id, { id, min, broken, single });
  pending.sort((a, b) => a.submitted - b.submitted);
  for (const ask of pending) cluster.waiting.set(ask.id, ask);
  for (const node of nodes) settle(cluster, node, allocated);
}

function takeApp(cluster: Objects, { partition, id, queue = "", state = "", submitted = 0 }: AppDump): AppModel {
  if (hasEnded(state)) cluster.ended.set(id, (cluster.ended.get(id) ?? 0) + 1);
  const app: AppModel = { id, queue: shownPath(partition, queue), state, submitted: cluster.times.ofState(submitted), asks: new Map(), gangs: new Map() };
  cluster.apps.delete(id); // the last of an ID counts
  cluster.apps.set(id, app);
  return app;
}

function takeAsk(cluster: Objects, app: AppModel, dump: AskDump, gang: string | undefined): AskModel {
  const { id, priority = 0, resources = nothing(), submitted = 0 } = dump;
  const ask: AskModel = {
    id, app: app.id, priority, resources, submitted: cluster.times.ofState(submitted),
    placeholder: dump.placeholder ? true : undefined, leaves: dump.leaves ? true : undefined, leaving: dump.leaving, gang,
  };
  cluster.asks.set(id, ask);
  app.asks.set(id, ask);
  return ask;
}

/** Puts what runs on a node there, in order, with the asks that it is held for. */
function settle(cluster: Objects, { id, allocations = [], reserved, kept }: NodeDump, allocated: ReadonlyMap<string, number>): void {
  const node = cluster.nodes.get(id);
  for (const name of allocations) {
    const ask = cluster.asks.get(name);
    if (ask) cluster.place(ask, node, allocated.get(name) ?? 0);
  }
  const holder = cluster.asks.get(reserved ?? "");
  if (holder) cluster.reserve(holder, node);
  const keeper = cluster.asks.get(kept ?? "");
  if (keeper) cluster.keep(keeper, node);
}
