/** The workload of a comparison: what runs in the cluster, a lesson, or workloads that are generated from seeds. */

import { signal } from "@preact/signals";
import { presets } from "../learn/presets";
import { defaultWorkload, generate } from "../model/generator";
import type { Scenario } from "../model/scenario";
import { lastingLeaves } from "../play/form-partition";
import { FormReader, type Errors } from "../play/form-reader";
import { actions } from "../state/run";
import { configuration } from "../state/store";

export const sources = ["cluster", "lesson", "generated"] as const;
export type Source = (typeof sources)[number];

export const source = signal<Source>("generated");
export const lesson = signal(presets[0]?.name ?? "");

/** The options of a generated workload, as texts of a form. */
export const draft = signal({ seed: "1", seeds: "5", nodes: "10", vcore: "8", memory: "32Gi", rate: "12", minutes: "30", asks: "6" });
export type GeneratedDraft = typeof draft.value;

/** Whose queues a workload is generated for. */
export const configured = ["plain", "cluster"] as const;
export const queuesOf = signal<(typeof configured)[number]>("plain");

/** Three queues that share what there is. */
const plainQueues = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: prod
    - name: research
    - name: batch
`;

/** What is wrong with the form. */
export function draftErrors(): Errors {
  return read().errors ?? {};
}

/** How many applications the form makes. */
export function applications(): number {
  return Math.round(Number(draft.value.rate) * Number(draft.value.minutes)) || 0;
}

export interface Workload {
  readonly title: string;
  /** One for each seed; one where the workload was recorded. */
  readonly scenarios: readonly (() => Scenario)[];
  readonly generated: boolean;
}

/** The workload that is chosen, or what is in its way. */
export async function chosen(): Promise<Workload | string> {
  if (source.value === "lesson") return recorded(presets.find(({ name }) => name === lesson.value)?.scenario ?? "There is no such lesson.");
  if (source.value === "cluster") return recorded(await actions.scenario());
  const { options, seeds, errors } = read();
  if (errors) return "The workload cannot be generated: the fields say what is expected.";
  const config = fromCluster() ?? { text: plainQueues, format: "yaml" as const };
  const scenarios = Array.from({ length: seeds }, (_, i) => () => {
    const seed = options.seed + i;
    return { title: `A generated workload, seed ${seed}`, journal: generate({ ...options, seed }), config };
  });
  const title = seeds > 1 ? `A generated workload, seeds ${options.seed} to ${options.seed + seeds - 1}` : `A generated workload, seed ${options.seed}`;
  return { title, scenarios, generated: true };
}

function recorded(scenario: Scenario | string): Workload | string {
  return typeof scenario === "string" ? scenario : { title: scenario.title, scenarios: [() => scenario], generated: false };
}

/** The configuration in force, where it is chosen and there is one. */
function fromCluster() {
  return queuesOf.value === "cluster" ? configuration.value : undefined;
}

function read() {
  const form = new FormReader();
  const d = draft.value;
  const leaves = fromCluster() ? lastingLeaves() : ["root.prod", "root.research", "root.batch"];
  const options = {
    ...defaultWorkload(leaves, ["vcore", "memory"]),
    seed: form.whole("seed", d.seed, 0, 1_000_000),
    nodes: {
      count: form.whole("nodes", d.nodes, 1, 5000), prefix: "n", zones: ["a", "b", "c"],
      capacity: form.amounts("capacity", [{ type: "vcore", amount: d.vcore }, { type: "memory", amount: d.memory }]),
    },
    rate: form.decimal("rate", d.rate, 0.01, 10_000),
    minutes: form.decimal("minutes", d.minutes, 0.1, 100_000),
    asks: [1, form.whole("asks", d.asks, 1, 1000)] as const,
  };
  if (options.rate * options.minutes > 50_000) form.fail("rate", `Expected at most 50,000 applications in all, found ${Math.round(options.rate * options.minutes)}.`);
  const seeds = form.whole("seeds", d.seeds, 1, 20);
  return { options, seeds, errors: form.errors };
}
