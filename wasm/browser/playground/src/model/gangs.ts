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

/** What is said of how a gang stands. */
export interface Standing {
  readonly broken: boolean;
  /** Members that it needs, those that run, and those that wait. */
  readonly needed: number;
  readonly running: number;
  readonly pending: number;
  /** Some member is allocated, even if it leaves. */
  readonly placed: boolean;
}

/** "waits: 4 pending, 4 start together", "whole: 5 of 4 members run, 1 of them surplus", "broken: 3 of 4 members are left". */
export function standingOf({ broken, needed, running, pending, placed }: Standing): string {
  if (broken) return `broken: ${running} of ${needed} members are left`;
  if (running < needed) return placed ? `ends: ${running} of ${needed} members stay` : `waits: ${pending} pending, ${needed} start together`;
  const surplus = running - needed;
  return `whole: ${running} of ${needed} members run${surplus > 0 ? `, ${surplus} of them surplus` : ""}`;
}

export function standing({ gang, members, running }: Members): string {
  return standingOf({ broken: gang.broken, needed: gang.min, running, pending: members.length, placed: members.some(({ node }) => node !== undefined) });
}
