/** A cluster that is full and moving: the page shows it on a first visit. */

import { generate, type WorkloadOptions } from "../model/generator";
import type { Scenario } from "../model/scenario";
import { node, queues, script } from "../learn/script";

/** The name that the scenario has in place of a lesson's. */
export const welcomeName = "welcome";

const tree = queues({
  "root.services": { guaranteed: { vcore: 64 }, "priority.offset": 100, "preemption.delay": "10s" },
  "root.research": { "application.sort.policy": "fair" },
  "root.research.vision": { guaranteed: { vcore: 32 } },
  "root.research.language": {},
  "root.batch": { "priority.policy": "fence", "priority.offset": -10 },
});

type Team = Pick<WorkloadOptions, "seed" | "rate" | "asks" | "run"> & { readonly queue: string; readonly vcore: number; readonly memory: string };

/** Together they ask for as much as the nodes have. rate: applications a minute. */
const teams: readonly Team[] = [
  { queue: "root.batch", seed: 0, rate: 4.8, asks: [1, 3], run: [60, 240], vcore: 4, memory: "8Gi" },
  { queue: "root.research.vision", seed: 1, rate: 3.2, asks: [1, 3], run: [60, 180], vcore: 4, memory: "16Gi" },
  { queue: "root.research.language", seed: 2, rate: 2.4, asks: [1, 3], run: [60, 240], vcore: 2, memory: "16Gi" },
  { queue: "root.services", seed: 3, rate: 3.2, asks: [1, 5], run: [30, 120], vcore: 2, memory: "4Gi" },
];

// Stretch after stretch brings the same number of applications, so that what is pending neither grows nor runs out. The first brings
// more: it fills the nodes, and leaves some to wait.
const stretch = 5; // minutes
const stretches = 14;
const firstSeed = 200;
const firstTimes = 1.25;

function workload(): string[] {
  return Array.from({ length: stretches }, (_, i) => teams.flatMap(({ queue, vcore, memory, seed, rate, ...team }) => generate({
    ...team, seed: firstSeed + 10 * i + seed, rate: i === 0 ? rate * firstTimes : rate, start: i * stretch * 60, minutes: stretch,
    queues: [{ path: queue, weight: 1 }], sizes: [{ weight: 1, resources: { vcore, memory } }], priorities: [{ weight: 1, priority: 0 }],
  }).split("\n").filter((line) => line.includes('"at"')))).flat();
}

export function welcomeScenario(): Scenario {
  const timed = workload().map((line) => ({ line, at: Number.parseFloat(line.slice(line.indexOf('"at":"') + 6)) })).sort((a, b) => a.at - b.at);
  const nodes = Array.from({ length: 12 }, (_, i) => node(`n${String(i + 1).padStart(2, "0")}`, { vcore: 16, memory: "64Gi" }));
  return {
    title: "A busy cluster", lesson: welcomeName, journal: script(["0s", tree, ...nodes]) + timed.map(({ line }) => `${line}\n`).join(""),
    grace: 5, begin: 240, speed: 5,
  };
}
