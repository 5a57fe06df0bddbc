/** Writes keys of a queue or a partition again in a text, and leaves all else of it as it is, with its comments. */

import type { Configuration } from "../../model/scenario";
import { mappingOf, type Entry, type Mapping, type Outline, type Range, type Statement } from "../outline/outline";
import { outlineOf } from "../outline/read";
import { tomlInline, tomlKey, tomlValue, yamlEntry, yamlFlow, type Value } from "./values";

/** Whose keys they are; without a queue those of the partition, and without a partition those of the first. */
export interface Home {
  readonly partition?: string | undefined;
  readonly queue?: string | undefined;
}

/** New values by key; undefined takes the key out. */
export type Edits = Readonly<Record<string, Value | undefined>>;

/** The text with other values; undefined: it does not name the queue, or the partition. */
export function rewrite(of: Configuration, home: Home, edits: Edits): Configuration | undefined {
  let { text } = of;
  for (const [key, value] of Object.entries(edits)) {
    const outline = outlineOf({ ...of, text });
    const mapping = holderOf(outline, home, key);
    if (!mapping) return undefined;
    text = new Rewriter(text, of.format, outline).set(mapping, key, value);
  }
  return { ...of, text };
}

/** Limits of root may stand in the partition. */
function holderOf({ file }: Outline, { partition, queue }: Home, key: string): Mapping | undefined {
  const mapping = mappingOf(file, queue, partition);
  if (key !== "limits" || queue !== "root" || (mapping && entryOf(mapping, key))) return mapping;
  const above = mappingOf(file, undefined, partition);
  return above && entryOf(above, key) ? above : mapping ?? above;
}

const entryOf = (mapping: Mapping, key: string): Entry | undefined => mapping.entries.find((entry) => entry.name.text === key);

class Rewriter {
  private readonly text: string;
  private readonly format: Configuration["format"];
  private readonly statements: readonly Statement[];

  constructor(text: string, format: Configuration["format"], { statements = [] }: Outline) {
    this.text = text;
    this.format = format;
    this.statements = statements;
  }

  set(mapping: Mapping, key: string, value: Value | undefined): string {
    if (mapping.braced) return this.inBraces(mapping, key, value);
    return this.format === "toml" ? this.inToml(mapping, key, value) : this.inYaml(mapping, key, value);
  }

  private inBraces(mapping: Mapping, key: string, value: Value | undefined): string {
    const written = value === undefined ? "" : this.format === "toml" ? `${tomlKey(key)} = ${tomlInline(value)}` : `${key}: ${yamlFlow(value)}`;
    const at = mapping.entries.findIndex((entry) => entry.name.text === key);
    const found = mapping.entries[at];
    if (found && written) return this.splice({ from: this.start(found), to: this.end(found) }, written);
    if (found) return this.splice(this.withComma(mapping, at), "");
    const last = mapping.entries.at(-1);
    return written && last ? this.splice({ from: this.end(last), to: this.end(last) }, `, ${written}`) : this.text;
  }

  /** An entry between braces, with the comma that goes with it. */
  private withComma({ entries }: Mapping, at: number): Range {
    const [before, found, after] = [entries[at - 1], entries[at], entries[at + 1]];
    if (!found) return { from: 0, to: 0 };
    if (after) return { from: this.start(found), to: this.start(after) };
    return { from: before ? this.end(before) : this.start(found), to: this.end(found) };
  }

  private inYaml(mapping: Mapping, key: string, value: Value | undefined): string {
    const found = entryOf(mapping, key);
    const [first] = mapping.entries;
    const indent = " ".repeat(this.column(found ?? first));
    if (found) return value === undefined ? this.withoutYaml(mapping, found) : this.splice({ from: this.start(found), to: this.blockEnd(found) }, yamlEntry(key, value, indent));
    if (value === undefined) return this.text;
    // What is below a queue stands behind what it has of its own.
    const below = entryOf(mapping, "queues");
    const written = yamlEntry(key, value, indent);
    if (below) return this.splice({ from: this.start(below), to: this.start(below) }, `${written}\n${indent}`);
    const last = mapping.entries.at(-1);
    const end = last ? this.blockEnd(last) : 0;
    return this.splice({ from: end, to: end }, `\n${indent}${written}`);
  }

  /** The first entry may stand behind the dash of a list: then the next one comes up to it. */
  private withoutYaml({ entries }: Mapping, found: Entry): string {
    const next = entries[entries.indexOf(found) + 1];
    if (next) return this.splice({ from: this.start(found), to: this.start(next) }, "");
    const end = this.blockEnd(found);
    return this.splice({ from: this.lineStart(this.start(found)) - 1, to: end }, "");
  }

  /** The end of the last line that belongs to an entry of a block: those that are deeper, and the items of its list. */
  private blockEnd(entry: Entry): number {
    const column = this.column(entry);
    let end = this.lineEnd(this.end(entry));
    for (let at = end + 1; at < this.text.length;) {
      const line = this.text.slice(at, this.lineEnd(at));
      const content = line.trimStart();
      const depth = line.length - content.length;
      const isBlank = content === "" || content.startsWith("#");
      if (!isBlank && depth <= column && !(depth === column && /^-( |$)/.test(content))) break;
      at += line.length + 1;
      if (!isBlank) end = at - 1;
    }
    return Math.min(end, this.text.length);
  }

  private inToml(mapping: Mapping, key: string, value: Value | undefined): string {
    const gone = this.statementsOf(mapping, key);
    const rest = this.statements.filter((one) => !gone.includes(one));
    const last = rest.findLast((one) => one.table === mapping);
    let out = "";
    let at = 0;
    for (const one of this.statements) {
      if (gone.includes(one)) {
        out += this.text.slice(at, one.from);
        at = Math.min(one.to + 1, this.text.length);
      } else if (one === last && value !== undefined) {
        out += `${this.text.slice(at, one.to)}\n${tomlKey(key)} = ${tomlValue(value)}`;
        at = one.to;
      }
    }
    return out + this.text.slice(at);
  }

  /** All that says a key of a table: lines of the table itself, and tables of their own. */
  private statementsOf(mapping: Mapping, key: string): readonly Statement[] {
    const below = (table: Mapping | undefined): boolean =>
      table?.above !== undefined && (table.above.mapping === mapping ? table.above.entry.name.text === key : below(table.above.mapping));
    return this.statements.filter(({ table, key: own }) => (table === mapping ? own === key : below(table)));
  }

  private splice({ from, to }: Range, by: string): string {
    return this.text.slice(0, from) + by + this.text.slice(to);
  }

  /** Where a key begins, with its quote. */
  private start({ name }: Entry): number {
    return /["']/.test(this.text[name.from - 1] ?? "") ? name.from - 1 : name.from;
  }

  private end({ name, end }: Entry): number {
    return end ?? name.to;
  }

  private column(entry: Entry | undefined): number {
    if (!entry) return 0;
    const start = this.start(entry);
    return start - this.lineStart(start);
  }

  private lineStart(at: number): number {
    return this.text.lastIndexOf("\n", at - 1) + 1;
  }

  private lineEnd(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end;
  }
}
