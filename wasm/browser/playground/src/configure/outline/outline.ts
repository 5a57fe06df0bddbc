/**
 * The outline of a configuration's text: which key stands where. Unlike the scheduler's own reading it takes texts that
 * are being typed, and so are broken most of the time; it judges nothing.
 */

/** A stretch of the text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Scalar extends Range {
  /** Without quotes. */
  readonly text: string;
}

export interface Entry {
  readonly name: Scalar;
  value?: Scalar;
  /** What the value holds: one mapping, or those of a list. */
  readonly inside: Mapping[];
  /** Behind a value that begins on the line of the key. */
  end?: number;
}

export interface Mapping {
  /** The key that holds it; the file's own has none. */
  readonly above?: { readonly mapping: Mapping; readonly entry: Entry };
  readonly entries: Entry[];
  /** Whether it stands between braces. */
  readonly braced?: boolean;
}

/** What is, or would come, at the cursor: from and to bound what is there of it already. */
export interface Spot extends Range {
  /** A header is the line of a TOML table. */
  readonly kind: "key" | "value" | "header";
  /** Where the key belongs; of a value, where its key does. */
  readonly mapping: Mapping;
  /** Whose value it is. */
  readonly entry?: Entry;
  /** Whether it stands between braces. */
  readonly braced: boolean;
}

/** A line of TOML with its table: a key with its value, which may go on over more lines, or a header, which has no key. */
export interface Statement extends Range {
  readonly table: Mapping;
  readonly key?: string;
}

export interface Outline {
  readonly file: Mapping;
  /** Of a TOML text, in their order. */
  readonly statements?: readonly Statement[];
  readonly spot?: Spot;
}

/** The keys from the file down to a mapping. */
export function path(mapping: Mapping): readonly string[] {
  return mapping.above ? [...path(mapping.above.mapping), mapping.above.entry.name.text] : [];
}

/** A place in the table of keys: the level, and the keys below it. */
export interface Place {
  readonly level: "file" | "partition" | "queue" | "properties" | "placement rule" | "limit" | "topology level";
  readonly below: readonly string[];
}

/** Where keys of a mapping stand in the scheduler's table of keys. */
export function place(mapping: Mapping): Place {
  let level: Place["level"] = "file";
  let below: string[] = [];
  for (const key of path(mapping)) {
    const next: Place["level"] | undefined = below.length > 0 ? undefined : under(level, key);
    if (next) level = next;
    else below = [...below, key];
  }
  return { level, below };
}

function under(level: Place["level"], key: string): Place["level"] | undefined {
  if (level === "file" && key === "partitions") return "partition";
  if ((level === "partition" || level === "queue") && key === "queues") return "queue";
  if (level === "queue" && key === "properties") return "properties";
  if (level === "partition" && key === "placementrules" || level === "placement rule" && key === "parent") return "placement rule";
  if ((level === "partition" || level === "queue") && key === "limits") return "limit";
  if (level === "partition" && key === "topology") return "topology level";
  return undefined;
}

const isQueue = (mapping: Mapping): boolean => {
  const { level, below } = place(mapping);
  return level === "queue" && below.length === 0;
};

/** The path of the queue that a mapping is or belongs to, as the scheduler writes it; undefined: of none. */
export function queueOf(mapping: Mapping): string | undefined {
  const names: string[] = [];
  for (let m: Mapping | undefined = mapping; m; m = m.above?.mapping) {
    if (isQueue(m)) names.unshift(named(m).toLowerCase());
  }
  if (names.length === 0) return undefined;
  // A list without root is taken as what is below it.
  return (names[0] === "root" ? names : ["root", ...names]).join(".");
}

/** The name of the partition that a mapping is in, in lower case; undefined: of none. */
export function partitionOf(mapping: Mapping): string | undefined {
  if (mapping.above === undefined) return undefined;
  return path(mapping).length === 1 ? named(mapping).toLowerCase() || "default" : partitionOf(mapping.above.mapping);
}

function named(queue: Mapping): string {
  return queue.entries.find((e) => e.name.text === "name")?.value?.text ?? "";
}

/** The mapping of a queue, or without one that of a partition; without a partition it is in the first of the text. */
export function mappingOf(file: Mapping, queue: string | undefined, partition: string | undefined): Mapping | undefined {
  const partitions = file.entries.filter(({ name }) => name.text === "partitions").flatMap(({ inside }) => inside);
  const home = partition === undefined ? partitions[0] : partitions.find((one) => partitionOf(one) === partition.toLowerCase());
  if (!home || queue === undefined) return home;
  for (const { mapping } of entriesIn(home)) if (isQueue(mapping) && queueOf(mapping) === queue) return mapping;
  return undefined;
}

/** All entries of a mapping and of what is in it, in the order of the text. */
export function* entriesIn(mapping: Mapping): Generator<{ readonly mapping: Mapping; readonly entry: Entry }> {
  for (const entry of mapping.entries) {
    yield { mapping, entry };
    for (const m of entry.inside) yield* entriesIn(m);
  }
}

/** Where a queue is named, or one of its keys stands, as errors and warnings call it: priority.offset, resources.max.vcore. Without a partition the first of the text is meant where several have the queue. */
export function find(file: Mapping, queue: string, key?: string, partition?: string): Range | undefined {
  let home: Range | undefined;
  for (const { mapping, entry } of entriesIn(file)) {
    if (queueOf(mapping) !== queue || (partition !== undefined && partitionOf(mapping) !== partition.toLowerCase())) continue;
    if (isQueue(mapping) && entry.name.text === "name") home ??= entry.value ?? entry.name;
    const { level } = place(mapping);
    if (level !== "limit" && level !== "placement rule" && level !== "topology level" && key !== undefined && [...place(mapping).below, entry.name.text].join(".") === key) return entry.value ?? entry.name;
  }
  return home;
}
