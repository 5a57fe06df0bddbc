import { generate, type WorkloadOptions } from "../model/generator";
import type { Model } from "../model/model";
import { Times } from "../model/times";
import { FormReader, type Errors } from "./form-reader";

/** Something that is drawn more often the more weight it has; "" and 0: never. */
export interface WeightedDraft {
  readonly what: string;
  readonly weight: string;
}

export interface WorkloadDraft {
  readonly rate: string;
  readonly minutes: string;
  readonly fewest: string;
  readonly most: string;
  readonly shortest: string;
  readonly longest: string;
  readonly seed: string;
  readonly queues: readonly WeightedDraft[];
  readonly sizes: readonly WeightedDraft[];
  readonly priorities: readonly WeightedDraft[];
}

const mostApplications = 20_000;

export function draftOf(o: WorkloadOptions): WorkloadDraft {
  return {
    rate: String(o.rate), minutes: String(o.minutes), fewest: String(o.asks[0]), most: String(o.asks[1]), shortest: String(o.run[0]), longest: String(o.run[1]), seed: String(o.seed),
    queues: o.queues.map(({ path, weight }) => ({ what: path, weight: String(weight) })),
    sizes: o.sizes.map(({ resources, weight }) => ({ what: Object.entries(resources).map(([type, amount]) => `${type}=${amount}`).join(", "), weight: String(weight) })),
    priorities: o.priorities.map(({ priority, weight }) => ({ what: String(priority), weight: String(weight) })),
  };
}

/** The options, or what is wrong with them. */
export function checkWorkload(draft: WorkloadDraft, start: number): { readonly options: WorkloadOptions } | { readonly errors: Errors } {
  const read = new FormReader();
  const range = (from: string, to: string, names: readonly [string, string], most: number): [number, number] => {
    const least = read.whole(names[0], from, 1, most);
    return [least, read.whole(names[1], to, least, most)];
  };
  const drawn = (field: string, list: readonly WeightedDraft[]) => {
    const some = list.flatMap((one, i) => {
      const weight = one.weight.trim() === "" ? 0 : read.whole(`${field}.${i}`, one.weight, 0, 1000);
      return weight > 0 ? [{ what: one.what, weight, field: `${field}.${i}` }] : [];
    });
    if (some.length === 0) read.fail(field, "Expected at least one weight above 0, found none.");
    return some;
  };
  const rate = read.decimal("rate", draft.rate, 0.01, 10_000);
  const minutes = read.decimal("minutes", draft.minutes, 0.1, 100_000);
  if (rate * minutes > mostApplications) read.fail("rate", `Expected at most ${mostApplications} applications in all, found ${Math.round(rate * minutes)}.`);
  const options: WorkloadOptions = {
    seed: read.whole("seed", draft.seed, 0, 1_000_000), rate, minutes, start,
    asks: range(draft.fewest, draft.most, ["fewest", "most"], 1000),
    run: range(draft.shortest, draft.longest, ["shortest", "longest"], 1_000_000),
    queues: drawn("queues", draft.queues).map(({ what, weight }) => ({ path: what, weight })),
    sizes: drawn("sizes", draft.sizes).map(({ what, weight, field }) => ({
      resources: read.amounts(field, Object.entries(read.pairs(field, what) ?? {}).map(([type, amount]) => ({ type, amount }))), weight,
    })),
    priorities: drawn("priorities", draft.priorities).map(({ what, weight, field }) => ({ priority: read.whole(field, what, -(2 ** 31), 2 ** 31 - 1), weight })),
  };
  return read.errors ? { errors: read.errors } : { options };
}

/** The lines of a workload, with their times in the form of the journal they go into. start: as StatusAnswer.start. */
export function workloadLines(options: WorkloadOptions, start: string): string {
  const text = generate(options);
  if (start === "") return text;
  const relative = new Times();
  const absolute = new Times();
  absolute.start = start;
  return text.replaceAll(/"at":"([^"]*)"/g, (_, at: string) => `"at":"${absolute.text(relative.of(at))}"`);
}

/** A seed whose applications are not there yet. */
export function freeSeed(model: Model): number {
  let seed = 1;
  for (const id of model.apps.keys()) seed = Math.max(seed, Number(/^w(\d+)-\d+$/.exec(id)?.[1] ?? 0) + 1);
  return seed;
}
