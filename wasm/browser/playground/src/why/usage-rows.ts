/** What users and groups use against their limits, as rows of a table. */

import type { LimitUsage } from "../engine/types";
import { shownPath } from "../model/paths";
import { typesOf } from "../model/quantities";
import { amount, amountOf } from "../ui/format";

export interface UsageRow {
  readonly key: string;
  /** "user ann", "group dev". */
  readonly who: string;
  /** By the path that is shown. */
  readonly queue: string;
  /** Whether it has all that a bound allows. */
  readonly full: boolean;
  readonly bounds: readonly Bound[];
}

/** A bound: on a resource type, or on how many applications may run. */
export interface Bound {
  readonly of: string;
  readonly used: number;
  readonly limit: number;
  /** "4 of 6 vcore". */
  readonly text: string;
}

/** Rows, the ones nearest to a limit first. */
export function usageRows(list: readonly LimitUsage[]): readonly UsageRow[] {
  const rows = list.map((one) => {
    const bounds = boundsOf(one);
    const share = Math.max(...bounds.map(shareOf));
    const queue = shownPath(one.partition, one.queue ?? "");
    const who = nameOf(one);
    return { share, row: { key: `${queue} ${who}`, who, queue, bounds, full: share >= 1 } };
  });
  return rows.sort((a, b) => b.share - a.share).map(({ row }) => row);
}

function nameOf({ group, name = "" }: LimitUsage): string {
  if (group) return name === "*" ? "all other groups" : `group ${name}`;
  return name === "" ? "users without a name" : `user ${name}`;
}

function boundsOf({ used, max, applications = 0, maxApplications = 0 }: LimitUsage): Bound[] {
  const bounds = typesOf(max).map((type) => {
    const [is = 0, limit = 0] = [used?.[type], max?.[type]];
    return { of: type, used: is, limit, text: `${amount(type, is)} of ${amountOf(type, limit)}` };
  });
  if (maxApplications > 0) bounds.push({ of: "applications", used: applications, limit: maxApplications, text: `${applications} of ${maxApplications} ${maxApplications === 1 ? "application" : "applications"}` });
  return bounds;
}

/** A bound of nothing is reached by nothing. */
function shareOf({ used, limit }: Bound): number {
  return limit > 0 ? used / limit : 1;
}
