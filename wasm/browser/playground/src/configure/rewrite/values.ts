/** Values of a configuration, as they are written in both formats. */

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

type Fields = Readonly<Record<string, Value>>;

/** A number where a text is one that is written bare in both formats, else the text: the scheduler says what is wrong with it. */
export function bare(text: string): Value {
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

/** An entry of a mapping in YAML: the first line without its indentation, the others with it. */
export function yamlEntry(key: string, value: Value, indent: string): string {
  return entryLines(key, value).join(`\n${indent}`);
}

function entryLines(key: string, value: Value): string[] {
  const name = yamlText(key);
  if (isList(value)) return value.some(isFields) ? [`${name}:`, ...value.flatMap(itemLines)] : [`${name}: ${yamlFlow(value)}`];
  if (!isFields(value) || !Object.values(value).some(isFields)) return [`${name}: ${yamlFlow(value)}`];
  return [`${name}:`, ...fieldLines(value).map((line) => `  ${line}`)];
}

function itemLines(item: Value): string[] {
  const lines = isFields(item) && Object.keys(item).length > 0 ? Object.entries(item).flatMap(([key, value]) => isFields(value) ? [`${yamlText(key)}: ${yamlFlow(value)}`] : entryLines(key, value)) : [yamlFlow(item)];
  return lines.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`));
}

function fieldLines(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([key, value]) => entryLines(key, value));
}

/** A value on one line of YAML. */
export function yamlFlow(value: Value): string {
  if (isList(value)) return `[${value.map(yamlFlow).join(", ")}]`;
  if (isFields(value)) return `{${Object.entries(value).map(([key, of]) => `${yamlText(key)}: ${yamlFlow(of)}`).join(", ")}}`;
  return typeof value === "string" ? yamlText(value) : String(value);
}

/** What YAML reads as something else than this text is quoted. */
function yamlText(text: string): string {
  const plain = /^[A-Za-z0-9_][\w./-]*$/.test(text) && !/^([\d._]+|true|false|yes|no|on|off|y|n|null)$/i.test(text);
  return plain ? text : quoted(text);
}

/** A value on one line of TOML; a list of tables has a line for each. */
export function tomlValue(value: Value): string {
  if (isList(value)) {
    const items = value.map(tomlInline);
    return value.some(isFields) ? `[\n${items.map((item) => `  ${item},\n`).join("")}]` : `[${items.join(", ")}]`;
  }
  return tomlInline(value);
}

/** A value between braces of TOML, where nothing may take a line of its own. */
export function tomlInline(value: Value): string {
  if (isList(value)) return `[${value.map(tomlInline).join(", ")}]`;
  if (isFields(value)) return `{ ${Object.entries(value).map(([key, of]) => `${tomlKey(key)} = ${tomlInline(of)}`).join(", ")} }`;
  return typeof value === "string" ? quoted(value) : String(value);
}

export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : quoted(key));

/** What JSON escapes, both formats read the same. */
export const quoted = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007F");

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isFields(value: Value): value is Fields {
  return typeof value === "object" && !isList(value);
}
