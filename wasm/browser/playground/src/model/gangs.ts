/** How an atomic gang stands. */

import type { AskModel, GangModel, Model } from "./model";

/** The gang that an ask is placed with, if with one. */
export function gangOf(model: Pick<Model, "apps">, { app, gang }: Pick<AskModel, "app" | "gang">): GangModel | undefined {
  const found = gang === undefined ? undefined : model.apps.get(app)?.gangs.get(gang);
  return found?.single ? undefined : found;
}

interface Members {
  readonly gang: GangModel;
  /** In the order of submission. */
  readonly members: readonly AskModel[];
  /** Allocated, and not told to leave. */
  readonly running: number;
}

/** The gangs of an application with their members. */
export function gangsOf(model: Pick<Model, "apps">, app: string): Members[] {
  const found = new Map<GangModel, AskModel[]>();
  for (const ask of model.apps.get(app)?.asks.values() ?? []) {
    const gang = gangOf(model, ask);
    if (!gang) continue;
    const members = found.get(gang);
    if (members) members.push(ask);
    else found.set(gang, [ask]);
  }
  return [...found].map(([gang, members]) => ({ gang, members, running: members.filter(runs).length }));
}

function runs({ node, leaves }: AskModel): boolean {
  return node !== undefined && !leaves;
}

/** "waits: 4 of 4 members pending", "whole: 5 of 4, 1 of them surplus", "broken: 3 of 4 members are left". */
export function standing({ gang, members, running }: Members): string {
  const { min, broken } = gang;
  if (broken) return `broken: ${running} of ${min} members are left`;
  if (running < min) return running > 0 || members.some(({ node }) => node !== undefined) ? `ends: ${running} of ${min} members stay` : `waits: ${members.length} pending, ${min} start together`;
  const surplus = running - min;
  return `whole: ${running} of ${min} members run${surplus > 0 ? `, ${surplus} of them surplus` : ""}`;
}
