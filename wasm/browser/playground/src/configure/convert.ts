/** One configuration in the other format. Comments and the order of keys are not kept. */

import type { AccessList, Amounts, CheckAnswer, Config, ConfigLimit, ConfigQueue, ConfigTemplate, Rule } from "../engine/types";
import type { Configuration } from "../model/scenario";
import { typesOf } from "../model/quantities";
import { partitionsOf } from "./changes";
import { quantity } from "./quantity";

/** A text that was checked, in the other format. YAML is the scheduler's own normal form. Undefined: the text has errors. */
export function convert(from: Configuration, { configuration, normal }: CheckAnswer): Configuration | undefined {
  if (!configuration || normal === undefined) return undefined;
  return from.format === "toml" ? { format: "yaml", text: normal } : { format: "toml", text: toml(configuration) };
}

function toml(config: Config): string {
  return `${partitionsOf(config).flatMap((one, i) => [...(i > 0 ? [""] : []), ...partition(one)]).join("\n")}\n`;
}

function partition(config: Config): readonly string[] {
  const weights = (config.nodeSort?.weights ?? []).map((w) => `${name(w.type)} = ${(w.thousandths ?? 0) / 1000}`);
  const lines = [
    "[[partitions]]",
    `name = ${text(config.partition ?? "")}`,
    `nodesortpolicy = { type = ${text(config.nodeSort?.policy ?? "")}, resourceweights = { ${weights.join(", ")} } }`,
    `preemption = { enabled = ${config.preemptionEnabled ?? false}${config.preemptionObserve ? ", observe = true" : ""}${config.quotaPreemption ? ", quotapreemptionenabled = true" : ""} }`,
  ];
  if (config.resolver) lines.push(`usergroupresolver = { type = ${text(config.resolver)} }`);
  if (config.rules?.length) lines.push("placementrules = [", ...config.rules.map((one) => `  ${rule(one)},`), "]");
  if (config.root) queue(config.root, "partitions.queues", lines);
  return lines;
}

function queue(of: ConfigQueue, table: string, lines: string[]): void {
  lines.push("", `[[${table}]]`, `name = ${text(of.name ?? "")}`);
  if (!of.leaf && !of.children?.length) lines.push("parent = true");
  if (of.maxApplications) lines.push(`maxapplications = ${of.maxApplications}`);
  set("resources.guaranteed", of.guaranteed, lines);
  set("resources.max", of.max, lines);
  properties("properties", of.properties, lines);
  if (of.submitACL) lines.push(`submitacl = ${text(access(of.submitACL))}`);
  if (of.adminACL) lines.push(`adminacl = ${text(access(of.adminACL))}`);
  if (of.template) template(of.template, lines);
  if (of.limits?.length) lines.push("limits = [", ...of.limits.map((one) => `  ${limit(one)},`), "]");
  for (const child of of.children ?? []) queue(child, `${table}.queues`, lines);
}

function set(key: string, amounts: Amounts | undefined, lines: string[]): void {
  if (typesOf(amounts).length > 0) lines.push(`${key} = ${quantitiesIn(amounts)}`);
}

function quantitiesIn(amounts: Amounts | undefined): string {
  return `{ ${typesOf(amounts).map((type) => `${name(type)} = ${value(quantity(type, amounts?.[type] ?? 0))}`).join(", ")} }`;
}

function properties(key: string, of: Readonly<Record<string, string>> | undefined, lines: string[]): void {
  const written = Object.entries(of ?? {}).map(([property, is]) => `${name(property)} = ${text(is)}`);
  if (written.length > 0) lines.push(`${key} = { ${written.join(", ")} }`);
}

function template({ maxApplications = 0, guaranteed, max, properties: own }: ConfigTemplate, lines: string[]): void {
  if (maxApplications > 0) lines.push(`childtemplate.maxapplications = ${maxApplications}`);
  set("childtemplate.resources.guaranteed", guaranteed, lines);
  set("childtemplate.resources.max", max, lines);
  properties("childtemplate.properties", own, lines);
}

function limit({ description = "", users = [], groups = [], maxResources, maxApplications = 0 }: ConfigLimit): string {
  return inBraces([
    `limit = ${text(description)}`, users.length > 0 && `users = ${list(users)}`, groups.length > 0 && `groups = ${list(groups)}`,
    typesOf(maxResources).length > 0 && `maxresources = ${quantitiesIn(maxResources)}`, maxApplications > 0 && `maxapplications = ${maxApplications}`,
  ]);
}

function rule({ name: kind, create, value: of, filter, parent }: Rule): string {
  const { deny, users = [], groups = [] } = filter ?? {};
  const filtered = filter && inBraces([`type = ${text(deny ? "deny" : "allow")}`, users.length > 0 && `users = ${list(users)}`, groups.length > 0 && `groups = ${list(groups)}`]);
  return inBraces([`name = ${text(kind)}`, create && "create = true", of && `value = ${text(of)}`, filtered && `filter = ${filtered}`, parent && `parent = ${rule(parent)}`]);
}

/** Users and groups as a list has them: a space between, one before groups alone, * for everybody. */
function access({ users = [], groups = [] }: AccessList): string {
  return groups.length > 0 ? `${users.join(",")} ${groups.join(",")}` : users.join(",");
}

const inBraces = (parts: readonly (string | false | undefined)[]): string => `{ ${parts.filter(Boolean).join(", ")} }`;
const list = (names: readonly string[]): string => `[${names.map(text).join(", ")}]`;

const name = (key: string): string => (/^[\w-]+$/.test(key) ? key : text(key));
/** Numbers are bare; with a suffix they are texts. */
const value = (amount: string): string => (/^\d+(\.\d+)?$/.test(amount) ? amount : text(amount));
/** What JSON escapes, TOML reads the same. */
const text = (of: string): string => JSON.stringify(of).replaceAll("\u007f", "\\u007F");
