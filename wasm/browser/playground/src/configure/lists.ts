/** Lists of a configuration in words: placement rules, limits, access lists, templates. */

import type { AccessList, ConfigLimit, ConfigTemplate, Rule } from "../engine/types";
import { quantities } from "./quantity";

/** "user, created below fixed users, denied to groups interns". */
export function ruleWords({ name, value, create, parent, filter }: Rule): string {
  const lists = [["users", filter?.users], ["groups", filter?.groups]] as const;
  const filtered = lists.filter(([, names]) => names !== undefined && names.length > 0).map(([kind, names]) => `${kind} ${names?.join(", ") ?? ""}`);
  return [
    `${name}${value ? ` ${value}` : ""}${create ? ", makes queues" : ""}`,
    filter && `${filter.deny ? "not for" : "only for"} ${filtered.join(" and ") || "all users"}`,
    parent && `below: ${ruleWords(parent)}`,
  ].filter(Boolean).join("; ");
}

/** "users ann, bob: max 4 vcore, 2 applications". */
export function limitWords({ description, users = [], groups = [], maxResources, maxApplications = 0 }: ConfigLimit): string {
  const bounded = [users.length > 0 && `users ${users.join(", ")}`, groups.length > 0 && `groups ${groups.join(", ")}`].filter(Boolean).join(" and ");
  const most = [maxResources && `max ${quantities(maxResources)}`, maxApplications > 0 && `${maxApplications} ${maxApplications === 1 ? "application" : "applications"}`].filter(Boolean).join(", ");
  return `${bounded}: ${most}${description ? ` (${description})` : ""}`;
}

/** "users ann, groups dev"; undefined: there is no list. */
export function accessWords(list: AccessList | undefined): string | undefined {
  if (!list) return undefined;
  const { users = [], groups = [] } = list;
  if (users.includes("*")) return "all users";
  return [users.length > 0 && `users ${users.join(", ")}`, groups.length > 0 && `groups ${groups.join(", ")}`].filter(Boolean).join(" and ") || "no users";
}

/** "guaranteed 1 vcore, max 4 vcore, 2 applications"; undefined: there is no template. */
export function templateWords(template: ConfigTemplate | undefined): string | undefined {
  if (!template) return undefined;
  const { guaranteed, max, maxApplications = 0, properties = {} } = template;
  const words = [
    guaranteed && `guaranteed ${quantities(guaranteed)}`, max && `max ${quantities(max)}`, maxApplications > 0 && `maxapplications ${maxApplications}`,
    ...Object.entries(properties).map(([name, value]) => `${name} ${value}`),
  ];
  return words.filter(Boolean).join("; ") || undefined;
}
