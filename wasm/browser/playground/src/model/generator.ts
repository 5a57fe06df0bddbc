/** A workload generated from a seed: the same options give the same bytes on every machine. */

import { drawsFrom, type Draws, type Weighted } from "./draws";
import type { Quantities } from "./lines";
import { splitPath } from "./paths";

export interface WorkloadOptions {
  /** A whole number. It is in every ID, so workloads of different seeds go into one journal. */
  readonly seed: number;
  /** Nodes to add first: prefix1, prefix2, …, for the partitions of the queues in turn, with the attribute zone in turn, where there are zones. */
  readonly nodes?: { readonly count: number; readonly capacity: Quantities; readonly prefix: string; readonly zones: readonly string[] } | undefined;
  /** By the paths that are shown. */
  readonly queues: readonly (Weighted & { readonly path: string })[];
  /** Applications a minute. */
  readonly rate: number;
  readonly minutes: number;
  /** Fewest and most asks of an application. */
  readonly asks: readonly [number, number];
  /** What an ask wants; all asks of an application want the same. */
  readonly sizes: readonly (Weighted & { readonly resources: Quantities })[];
  /** Shortest and longest run, in seconds. */
  readonly run: readonly [number, number];
  readonly priorities: readonly (Weighted & { readonly priority: number })[];
  /** Seconds of the session at which it begins; 0 where it is left out. */
  readonly start?: number;
}

/** A workload for these leaf queues, of asks for what the nodes of the cluster have. */
export function defaultWorkload(queuePaths: readonly string[], types: readonly string[]): WorkloadOptions {
  const has = (type: string) => types.length === 0 || types.includes(type);
  const others = types.filter((type) => type !== "vcore" && type !== "memory");
  const size = (vcore: number, memory: string, weight: number) => ({
    resources: { ...(has("vcore") && { vcore }), ...(has("memory") && { memory }), ...(!has("vcore") && !has("memory") && { [others[0] ?? "vcore"]: vcore }) },
    weight,
  });
  return {
    seed: 1,
    queues: queuePaths.map((path) => ({ path, weight: 1 })),
    rate: 12,
    minutes: 10,
    asks: [1, 6],
    sizes: [size(1, "2Gi", 6), size(2, "8Gi", 3), size(4, "8Gi", 1)],
    run: [30, 240],
    priorities: [{ priority: 0, weight: 8 }, { priority: 10, weight: 2 }],
  };
}

/** Writes the workload as a journal of relative times. */
export function generate(o: WorkloadOptions): string {
  const draw = drawsFrom(o.seed);
  const start = Math.round((o.start ?? 0) * 1000);
  const lines: object[] = [{ type: "journal", version: 1 }, ...nodes(o, start)];
  // So many moments, anywhere in the span: that is what applications look like that know nothing of each other.
  const moments = Array.from({ length: Math.round(o.rate * o.minutes) }, () => start + draw.below(Math.round(o.minutes * 60_000)));
  moments.sort((a, b) => a - b);
  for (const [i, at] of moments.entries()) lines.push(...application(o, draw, `w${o.seed}-${i + 1}`, at));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function nodes(o: WorkloadOptions, at: number): object[] {
  const { count, capacity, prefix, zones } = o.nodes ?? { count: 0, capacity: {}, prefix: "", zones: [] };
  const partitions = [...new Set(o.queues.map(({ path }) => splitPath(path).partition))];
  return Array.from({ length: count }, (_, i) => {
    const partition = partitions[i % partitions.length];
    const zone = zones[Math.floor(i / Math.max(1, partitions.length)) % zones.length];
    return { at: seconds(at), type: "node.add", id: `${prefix}${i + 1}`, capacity, ...(zone !== undefined && { attributes: { zone } }), ...(partition !== undefined && { partition }) };
  });
}

function application(o: WorkloadOptions, draw: Draws, id: string, at: number): object[] {
  const queue = draw.from(o.queues)?.path;
  const resources = draw.from(o.sizes)?.resources;
  const priority = draw.from(o.priorities)?.priority ?? 0;
  const count = draw.between(o.asks);
  const run = draw.between(o.run);
  if (queue === undefined || resources === undefined) return [];
  const ask = { at: seconds(at), type: "ask.add", id: count > 1 ? id : `${id}-1`, app: id, resources, ...(priority !== 0 && { priority }), run: `${run}s`, ...(count > 1 && { count }) };
  const { partition, path } = splitPath(queue);
  return [{ at: seconds(at), type: "app.add", id, queue: path, ...(partition !== undefined && { partition }) }, ask];
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000}s`;
}
