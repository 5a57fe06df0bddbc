/** What stands in a node, as blocks from the bottom up: a share of the node each. */

import type { Amounts } from "../engine/types";
import type { AskModel, GangModel, NodeModel } from "../model/model";
import type { Groups } from "./colour-by";
import type { Hue } from "./colours";
import { shareOf, useOf } from "./grid-use";

export interface Block {
  /** Absent: what others than the scheduler use on the node. */
  readonly ask?: AskModel;
  readonly hue?: Hue;
  /** What its colour tells it apart by. */
  readonly group?: string;
  /** The gang that it is a member of, if of one. */
  readonly gang?: GangModel;
  /** Shares of the node's capacity. */
  readonly from: number;
  readonly to: number;
}

/**
 * The blocks of a node, those of a group together. With the dominant type each allocation counts by the type that it
 * takes most of. These shares can add up to more than the fullest type, so they are scaled to that: the pile is as high as
 * the node is full.
 */
export function blocksOf(node: NodeModel, type: string, groups: Groups): Block[] {
  const parts: { ask?: AskModel; group?: string; share: number }[] = [];
  const others = partOf(node, node.occupied, type);
  if (others > 0) parts.push({ share: others });
  for (const [group, asks] of groupsOf(node, groups)) for (const ask of asks) parts.push({ ask, group, share: partOf(node, ask.resources, type) });
  const sum = parts.reduce((total, part) => total + part.share, 0);
  const scale = type || sum === 0 ? 1 : useOf(node, type) / sum;
  let from = 0;
  return parts.map(({ ask, group, share }) => {
    const block = { ask, group, gang: ask && groups.gang(ask), hue: group === undefined ? undefined : groups.hue(group), from, to: from + share * scale };
    from = block.to;
    return block;
  });
}

/** The members of a gang that are next to one another, from the bottom up. */
export function runsOf(blocks: readonly Block[]): Pick<Block, "gang" | "from" | "to">[] {
  const runs: { gang?: GangModel; from: number; to: number }[] = [];
  for (const { gang, from, to } of blocks) {
    const last = runs.at(-1);
    if (last && gang && last.gang === gang) last.to = to;
    else runs.push({ gang, from, to });
  }
  return runs;
}

/**
 * In the order in which the first of each group came, so that the rest does not move when one goes; in a group the members of a gang together.
 */
function groupsOf(node: NodeModel, by: Groups): ReadonlyMap<string, readonly AskModel[]> {
  const groups = gathered(node, by);
  for (const asks of groups.values()) {
    const place = new Map<GangModel | undefined, number>();
    for (const ask of asks) if (!place.has(by.gang(ask))) place.set(by.gang(ask), place.size);
    if (place.size > 1) asks.sort((a, b) => (place.get(by.gang(a)) ?? 0) - (place.get(by.gang(b)) ?? 0));
  }
  return groups;
}

function gathered(node: NodeModel, by: Groups): Map<string, AskModel[]> {
  const groups = new Map<string, AskModel[]>();
  for (const ask of node.allocations.values()) {
    const name = by.of(ask, node);
    const group = groups.get(name);
    if (group) group.push(ask);
    else groups.set(name, [ask]);
  }
  return groups;
}

function partOf(node: NodeModel, amounts: Amounts, type: string): number {
  if (type) return shareOf(node, amounts, type);
  let most = 0;
  for (const one in amounts) most = Math.max(most, shareOf(node, amounts, one));
  return most;
}
