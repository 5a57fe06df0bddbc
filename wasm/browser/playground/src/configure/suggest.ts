/** What can come at a place of a text. */

import type { KeyAnswer } from "../engine/types";
import type { Configuration } from "../model/scenario";
import { holdsTypes, isBare, keyIn, keysOf, takesAccess, takesList, takesMapping, takesNames, takesTypes, valuesOf, type Keys, type Policy } from "./keys";
import { path, place, type Mapping, type Outline, type Spot } from "./outline/outline";

type Format = Configuration["format"];

/** What is known beside the text. */
export interface Known {
  readonly keys: Keys;
  readonly policies: readonly Policy[];
  /** Resource types of the nodes. */
  readonly types: readonly string[];
}

export interface Suggestion {
  readonly label: string;
  readonly kind: "property" | "enum" | "class";
  /** The rows of the table that are about it. */
  readonly about: Keys;
  /** The text that replaces what is there, in two parts: the cursor goes between them. */
  readonly before: string;
  readonly after: string;
}

/** Where suggestions are for, and what stands around. */
interface Around {
  readonly spot: Spot;
  readonly format: Format;
  /** Column of the key, for what goes below it. */
  readonly indent: string;
  /** The character before, if it is a quote. */
  readonly quoted: boolean;
  /** A value follows already. */
  readonly taken: boolean;
}

/** Suggestions for what is at the cursor of an outline, the best first. */
export function suggest({ file, spot }: Outline, text: string, format: Format, known: Known): readonly Suggestion[] {
  if (!spot) return [];
  if (spot.kind === "header") return headers(file, known.keys);
  const around: Around = {
    spot, format,
    indent: " ".repeat(spot.from - (text.lastIndexOf("\n", spot.from - 1) + 1)),
    quoted: /["']/.test(text[spot.from - 1] ?? ""),
    taken: /^["']?[ \t]*[:=]/.test(text.slice(spot.to, spot.to + 80)),
  };
  return spot.kind === "value" ? values(around, known) : names(around, known);
}

function values({ spot, format, quoted }: Around, known: Known): readonly Suggestion[] {
  const key = spot.entry && keyIn(known.keys, spot.mapping, spot.entry.name.text);
  if (!key) return [];
  const quote = !quoted && (format === "toml" ? !isBare(key) : takesAccess(key)) ? '"' : "";
  return valuesOf(key, known.policies).map((label) => ({ label, kind: "enum", about: [key], before: quote + label + quote, after: "" }));
}

function names(around: Around, known: Known): readonly Suggestion[] {
  const { spot, format } = around;
  const here = place(spot.mapping);
  if (holdsTypes(known.keys, here)) return typeNames(around, known.types).filter(({ label }) => !stands(spot, [label]));
  const below = here.below.map((b) => `${b}.`).join("").length;
  const groups = new Map<string, KeyAnswer[]>();
  for (const key of keysOf(known.keys, here)) {
    const rest = key.name.slice(below);
    if (format === "toml" && !spot.braced && takesList(key) && !takesNames(key)) continue;
    const parts = here.level === "properties" ? [rest] : rest.split(".");
    if (format === "yaml" || spot.braced) parts.length = 1;
    if (stands(spot, parts)) continue;
    const label = parts.join(".");
    groups.set(label, [...(groups.get(label) ?? []), key]);
  }
  return [...groups].map(([label, about]) => ({ label, kind: "property", about, ...written(around, label, about) }));
}

/** Whether a key, by the keys that lead to it, stands there already: elsewhere than at the cursor. */
function stands(spot: Spot, [first, ...rest]: readonly string[], mapping = spot.mapping): boolean {
  return mapping.entries.some((e) => e.name.text === first && e.name.from !== spot.from
    && (rest.length === 0 || e.inside.some((inside) => stands(spot, rest, inside))));
}

function typeNames(around: Around, types: readonly string[]): readonly Suggestion[] {
  return [...new Set(["vcore", "memory", ...types])].map((label) => {
    const bare = around.format === "yaml" || /^[\w-]+$/.test(label) || around.quoted;
    return { label, kind: "class", about: [], before: (bare ? label : `"${label}"`) + sign(around), after: "" };
  });
}

/** How a key is written: with room for its value, unless one is there. */
function written(around: Around, label: string, about: Keys): Pick<Suggestion, "before" | "after"> {
  const only = about.length === 1 && about[0]?.name.endsWith(label) ? about[0] : undefined;
  const { format, indent, spot } = around;
  if (format === "toml" && only?.where === "properties" && !around.quoted) label = `"${label}"`;
  const key = label + sign(around);
  if (around.taken || around.quoted) return { before: key, after: "" };
  if (format === "toml" || spot.braced || (only && takesTypes(only))) {
    const [open, close] = brackets(only, format);
    return { before: key + open, after: close };
  }
  if (!only || takesMapping(only)) return { before: `${key.trimEnd()}\n${indent}  `, after: "" };
  if (takesNames(only)) return { before: `${key}[`, after: "]" };
  return { before: takesList(only) ? `${key.trimEnd()}\n${indent}- ${only.name === "limits" ? "limit" : "name"}: ` : key, after: "" };
}

const sign = ({ format, taken, quoted }: Around): string => (taken || quoted ? "" : format === "yaml" ? ": " : " = ");

/** What stands around a value on the line of its key. */
function brackets(key: KeyAnswer | undefined, format: Format): readonly [string, string] {
  if (!key || takesTypes(key) || takesMapping(key)) return format === "yaml" ? ["{", "}"] : ["{ ", " }"];
  if (takesList(key)) return ["[", "]"];
  return format === "yaml" || isBare(key) ? ["", ""] : ['"', '"'];
}

/** The tables that can stand in a TOML text: one level of queues more than there is. */
function headers(file: Mapping, keys: Keys): readonly Suggestion[] {
  const deepest = Math.max(1, ...[...mappings(file)].map((m) => path(m).filter((k) => k === "queues").length));
  const tables = keys.filter((k) => k.where === "partition" && k.name.includes(".") && k.status === "works").map((k) => `[partitions.${k.name.split(".")[0] ?? ""}]`);
  const queues = Array.from({ length: deepest + 1 }, (_, depth) => `partitions${".queues".repeat(depth + 1)}`);
  const labels = ["[[partitions]]", ...new Set(tables), ...queues.flatMap((q) => [`[[${q}]]`, `[${q}.resources]`, `[${q}.properties]`])];
  return labels.map((label) => ({ label, kind: "class", about: [], before: `${label}\n`, after: "" }));
}

function* mappings(mapping: Mapping): Generator<Mapping> {
  yield mapping;
  for (const entry of mapping.entries) for (const inside of entry.inside) yield* mappings(inside);
}
