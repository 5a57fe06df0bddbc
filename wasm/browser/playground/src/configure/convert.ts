/** One configuration in the other format. Comments and the order of keys are not kept. */

import type { Amounts, CheckAnswer, Config, ConfigQueue } from "../engine/types";
import type { Configuration } from "../model/scenario";
import { typesOf } from "../model/quantities";
import { partitionsOf } from "./changes";
import { quantity } from "./quantity";
import { accessDraft, accessValue, limitDraft, limitValue, ruleDraft, ruleValue, templateDraft, templateValue } from "./rewrite/sections";
import { quoted as text, tomlKey as name, tomlValue, type Value } from "./rewrite/values";

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
  if (config.rules?.length) list("placementrules", config.rules.map((one) => ruleValue(ruleDraft(one))), lines);
  if (config.topology?.length) list("topology", config.topology.map((one) => ({ level: one.name ?? "", attribute: one.attribute ?? "" })), lines);
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
  list("submitacl", accessValue(accessDraft(of.submitACL)), lines);
  list("adminacl", accessValue(accessDraft(of.adminACL)), lines);
  list("childtemplate", templateValue(templateDraft(of.template)), lines);
  if (of.limits?.length) list("limits", of.limits.map((one) => limitValue(limitDraft(one))), lines);
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

function list(key: string, of: Value | undefined, lines: string[]): void {
  if (of !== undefined) lines.push(`${key} = ${tomlValue(of)}`);
}

/** Numbers are bare; with a suffix they are texts. */
const value = (amount: string): string => (/^\d+(\.\d+)?$/.test(amount) ? amount : text(amount));
