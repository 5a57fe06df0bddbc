/** Runs a lesson, or what the cluster has seen, without the policy and with it, and keeps what changed. */

import { signal } from "@preact/signals";
import type { Finished } from "../compare/comparison";
import { namedPoints } from "../compare/configuration";
import { compare, failureWords, type Progress } from "../compare/run";
import type { Setup } from "../compare/setup";
import { presets } from "../learn/presets";
import { generate, defaultWorkload } from "../model/generator";
import type { Scenario } from "../model/scenario";
import { actions } from "../state/run";
import { built, type Built } from "./work";

/** What the policy is run against: the cluster as it is, a generated workload, or the name of a lesson. */
export const against = signal("cluster");

export const running = signal<Progress | undefined>(undefined);
/** The last run, and the module that ran. */
export const finished = signal<(Finished & { readonly module: Uint8Array }) | undefined>(undefined);
/** Why there is nothing to show, in words. */
export const trouble = signal("");

let controller = new AbortController();

/** Runs the module of the text in the editor. */
export async function runPolicy(): Promise<void> {
  const now = built.peek();
  if (!now || running.peek()) return;
  trouble.value = "";
  controller = new AbortController();
  const { signal: stopped } = controller;
  running.value = { share: 0, decisions: 0, workload: 1, workloads: 1 };
  try {
    const workload = await chosen();
    const outcome = await compare([() => workload], { policies: {}, queue: "root", modules: [] }, withPolicy(now), { signal: stopped, hear: (progress) => (running.value = progress) });
    finished.value = { outcome, names: { workload: workload.title, generated: against.peek() === "generated", a: "unchanged", b: `with ${now.loaded.name}` }, module: now.bytes };
  } catch (thrown) {
    if (!stopped.aborted) trouble.value = `The run ended: ${failureWords(thrown)}`;
  } finally {
    running.value = undefined;
  }
}

/** Ends the run, however long it would take. */
export function cancelRun(): void {
  controller.abort();
}

/** A set-up in which the policy decides at each of its points, in the whole tree. */
export function withPolicy({ loaded: { name, points }, bytes }: Pick<Built, "loaded" | "bytes">): Setup {
  const named = namedPoints.filter((point) => points.includes(point));
  return { policies: Object.fromEntries(named.map((point) => [point, name])), queue: "root", modules: [{ name, bytes }] };
}

async function chosen(): Promise<Scenario> {
  if (against.peek() === "cluster") return actions.scenario();
  if (against.peek() === "generated") return generated();
  const lesson = presets.find(({ name }) => name === against.peek());
  if (!lesson) throw new Error(`there is no lesson ${against.peek()}`);
  return lesson.scenario;
}

/** Ten nodes, six teams' worth of asks of many sizes: enough for most orders to differ. */
function generated(): Scenario {
  const leaves = ["root.prod", "root.research", "root.batch"];
  const queues = leaves.map((leaf) => `    - name: ${leaf.slice("root.".length)}\n`).join("");
  const config = { text: `partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n${queues}`, format: "yaml" } as const;
  return { title: "A generated workload", journal: generate(defaultWorkload(leaves, ["vcore", "memory"])), config };
}
