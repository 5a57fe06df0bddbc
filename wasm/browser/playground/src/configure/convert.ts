/** One configuration in the other format. Comments and the order of keys are not kept. */

import type { Amounts, CheckAnswer, Config, ConfigQueue } from "../engine/types";
import type { Configuration } from "../model/scenario";
import { typesOf } from "../model/quantities";
import { quantity } from "./quantity";

/** A text that was checked, in the other format. YAML is the scheduler's own normal form. Undefined: the text has errors. */
export function convert(from: Configuration, { configuration, normal }: CheckAnswer): Configuration | undefined {
  if (!configuration || normal === undefined) return undefined;
  return from.format === "toml" ? { format: "yaml", text: normal } : { format: "toml", text: toml(configuration) };
}

function toml(config: Config): string {
  const weights = (config.nodeSort?.weights ?? []).map((w) => `${name(w.type)} = ${(w.thousandths ?? 0) / 1000}`);
  const lines = [
    "[[partitions]]",
    `name = ${text(config.partition ?? "")}`,
    `nodesortpolicy = { type = ${text(config.nodeSort?.policy ?? "")}, resourceweights = { ${weights.join(", ")} } }`,
    `preemption = { enabled = ${config.preemptionEnabled ?? false}${config.preemptionObserve ? ", observe = true" : ""} }`,
  ];
  if (config.root) queue(config.root, "partitions.queues", lines);
  return `${lines.join("\n")}\n`;
}

function queue(of: ConfigQueue, table: string, lines: string[]): void {
  lines.push("", `[[${table}]]`, `name = ${text(of.name ?? "")}`);
  if (!of.leaf && !of.children?.length) lines.push("parent = true");
  if (of.maxApplications) lines.push(`maxapplications = ${of.maxApplications}`);
  set("resources.guaranteed", of.guaranteed, lines);
  set("resources.max", of.max, lines);
  const properties = Object.entries(of.properties ?? {}).map(([key, value]) => `${name(key)} = ${text(value)}`);
  if (properties.length > 0) lines.push(`properties = { ${properties.join(", ")} }`);
  for (const child of of.children ?? []) queue(child, `${table}.queues`, lines);
}

function set(key: string, amounts: Amounts | undefined, lines: string[]): void {
  const written = typesOf(amounts).map((type) => `${name(type)} = ${value(quantity(type, amounts?.[type] ?? 0))}`);
  if (written.length > 0) lines.push(`${key} = { ${written.join(", ")} }`);
}

const name = (key: string): string => (/^[\w-]+$/.test(key) ? key : text(key));
/** Numbers are bare; with a suffix they are texts. */
const value = (amount: string): string => (/^\d+(\.\d+)?$/.test(amount) ? amount : text(amount));
/** What JSON escapes, TOML reads the same. */
const text = (of: string): string => JSON.stringify(of).replaceAll("\u007f", "\\u007F");
