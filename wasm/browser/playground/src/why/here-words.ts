/** Why an ask went to its node, in one sentence. */

import type { AskExplanation, Candidate } from "../engine/types";
import { count } from "../ui/format";

/** What the scheduler says of an ask right before it is placed. */
export type Before = Pick<AskExplanation, "fits" | "nodes" | "nodePolicy" | "candidates" | "node" | "reserved" | "kept" | "required" | "atomic">;

/** The policies that score a node by how much of it is used. */
const byUse: Readonly<Record<string, string>> = { fair: "the least used", binpacking: "the most used" };

/** Whether the scores of a policy are shares of a node that are used. */
export function scoresUse(policy: string | undefined): boolean {
  return policy !== undefined && Object.hasOwn(byUse, policy);
}

/** A score as it is shown: of built-in policies the share of the node that is used. Undefined: the node was not scored. */
export function scoreText(policy: string | undefined, { score = 0, unscored }: Candidate): string | undefined {
  if (unscored) return undefined;
  return scoresUse(policy) ? `${figure(100 * Math.abs(score), 3)}% used` : figure(score, 6);
}

function figure(n: number, digits: number): string {
  return new Intl.NumberFormat("en-GB", { maximumSignificantDigits: digits }).format(n);
}

/** Why it went to a node rather than to another. */
export function whyHere(before: Before, node: string): string {
  const { fits = 0, candidates = [], nodePolicy: policy = "", kept, reserved, required, atomic } = before;
  if (kept) return `${node} was kept for it: it had preempted there.`;
  if (reserved && before.node === node) return `${node} was reserved for it.`;
  if (required) return `It requires ${node}.`;
  const takers = candidates.filter((one) => one.fits);
  const [first, second] = takers;
  if (atomic) return `It was placed together with its gang, all of which fits this way.${byItself(before, node)}`;
  if (first?.node !== node) return `It went to ${node}.`;
  if (fits === 1 || !second) return `${node} was the only node that would take it.`;
  return `${count(fits, "node")} would take it. ${preference(policy, first, second)}`;
}

/** Where a member of a gang would have gone without the others, and why. */
function byItself({ fits = 0, candidates = [], nodePolicy: policy = "" }: Before, node: string): string {
  const [first, second] = candidates.filter((one) => one.fits);
  if (!first) return "";
  if (fits === 1 || !second) return ` Only ${first.node ?? ""} would take it.`;
  const there = first.node === node ? "to the same node" : `to ${first.node ?? ""}`;
  return ` By itself it would have gone ${there}: ${count(fits, "node")} would take it. ${preference(policy, first, second)}`;
}

function preference(policy: string, first: Candidate, second: Candidate): string {
  const [best, next] = [scoreText(policy, first), scoreText(policy, second)];
  const [node, other] = [first.node ?? "", second.node ?? ""];
  const wants = byUse[policy];
  if (best === undefined || next === undefined) return `Policy ${policy} puts ${node} before ${other}.`;
  if (first.score === second.score) return `${node} and ${other} are alike to policy ${policy} (${best}), and ${node} comes first.`;
  return wants ? `Policy ${policy} takes ${wants}: ${node} (${best}) rather than ${other} (${next}).`
    : `Policy ${policy} scores ${node} highest: ${best}, and ${other} ${next}.`;
}
