/** What the colours of the grid tell apart. */

import { signal } from "@preact/signals";
import { gangOf } from "../model/gangs";
import type { AskModel, GangModel, Model, NodeModel } from "../model/model";
import { hueOf, type Hue } from "./colours";
import { useOf } from "./grid-use";

export const colourings = ["application", "gang", "queue", "priority", "use"] as const;
export type Colouring = (typeof colourings)[number];

/** The choice of the user. */
export const colourBy = signal<Colouring>("application");

/** Allocations of one group have one colour. */
export interface Groups {
  readonly by: Colouring;
  of(ask: AskModel, node: NodeModel): string;
  hue(group: string): Hue;
  gang(ask: AskModel): GangModel | undefined;
}

/** What is no member of a gang. */
const alone = "no gang";

/** Shares of a node that are in use, from the highest: the fuller, the darker. */
const steps = [
  { from: 0.9, group: "90% full and more", variant: 2 },
  { from: 0.5, group: "half full and more", variant: 0 },
  { from: 0, group: "less than half full", variant: 1 },
] as const;

export function groupsBy(by: Colouring, model: Model): Groups {
  return { ...colouring(by, model), gang: (ask) => gangOf(model, ask) };
}

function colouring(by: Colouring, model: Model): Omit<Groups, "gang"> {
  switch (by) {
    case "application": return { by, of: (ask) => ask.app, hue: (app) => hueOf(app) };
    case "gang": return { by, of: (ask) => (gangOf(model, ask) ? `${ask.app} / ${ask.gang ?? ""}` : alone), hue: (gang) => hueOf(gang, by) };
    case "queue": return { by, of: (ask) => model.apps.get(ask.app)?.queue ?? "", hue: (queue) => hueOf(queue, by) };
    case "priority": return { by, of: (ask) => `priority ${String(ask.priority)}`, hue: (priority) => hueOf(priority, by) };
    case "use": return {
      by,
      of: (_ask, node) => steps.find(({ from }) => useOf(node, "") >= from)?.group ?? "",
      hue: (group) => ({ colour: 0, variant: steps.find((step) => step.group === group)?.variant ?? 0 }),
    };
  }
}
