/** A cluster of a thousand nodes and the asks of six teams in half an hour, generated from seeds: always the same. */

import type { Untimed } from "../../model/lines";
import { generate, type WorkloadOptions } from "../../model/generator";
import { node, queues, script } from "../script";

const zones = ["north", "east", "west"];

/** Every seventh node has accelerators. */
function nodes(): Untimed[] {
  return Array.from({ length: 1000 }, (_, i) => {
    const attributes = { zone: zones[i % zones.length] ?? "" };
    const name = String(i + 1).padStart(4, "0");
    return i % 7 === 6
      ? node(`gpu-${name}`, { vcore: 64, memory: "512Gi", gpu: 8 }, { attributes })
      : node(`cpu-${name}`, { vcore: 32, memory: "128Gi" }, { attributes });
  });
}

const tree = queues({
  "root.services": { guaranteed: { vcore: 9000 }, "priority.offset": 100, "preemption.delay": "10s" },
  "root.services.web": { guaranteed: { vcore: 4000 } },
  "root.services.api": { guaranteed: { vcore: 3000 } },
  "root.research": { guaranteed: { gpu: 800 }, "application.sort.policy": "fair" },
  "root.research.vision": { guaranteed: { gpu: 400 } },
  "root.research.language": { guaranteed: { gpu: 400 } },
  "root.analytics": { max: { vcore: 9000 }, "application.sort.policy": "fair" },
  "root.batch": { "priority.policy": "fence", "priority.offset": -10 },
});

const lean = [{ weight: 6, resources: { vcore: 2, memory: "4Gi" } }, { weight: 3, resources: { vcore: 4, memory: "16Gi" } }, { weight: 1, resources: { vcore: 8, memory: "16Gi" } }];
const wide = [{ weight: 3, resources: { vcore: 8, memory: "32Gi" } }, { weight: 2, resources: { vcore: 16, memory: "48Gi" } }];
const accelerated = [
  { weight: 5, resources: { vcore: 8, memory: "48Gi", gpu: 1 } }, { weight: 3, resources: { vcore: 16, memory: "96Gi", gpu: 2 } },
  { weight: 1, resources: { vcore: 32, memory: "256Gi", gpu: 8 } },
];
const ordinary = [{ weight: 4, priority: 0 }, { weight: 1, priority: 10 }];

type Team = Pick<WorkloadOptions, "seed" | "rate" | "minutes" | "asks" | "sizes" | "run" | "start"> & { readonly queue: string };

const teams: readonly Team[] = [
  { queue: "root.batch", seed: 1, rate: 66, minutes: 28, asks: [1, 6], sizes: wide, run: [300, 900] },
  { queue: "root.analytics", seed: 2, rate: 18, minutes: 28, asks: [2, 12], sizes: lean, run: [60, 400] },
  { queue: "root.research.vision", seed: 3, rate: 10, minutes: 28, asks: [1, 8], sizes: accelerated, run: [240, 900] },
  { queue: "root.research.language", seed: 4, rate: 10, minutes: 18, asks: [1, 8], sizes: accelerated, run: [240, 900], start: 600 },
  { queue: "root.services.web", seed: 5, rate: 44, minutes: 28, asks: [1, 10], sizes: lean, run: [120, 900] },
  { queue: "root.services.api", seed: 6, rate: 35, minutes: 14, asks: [1, 10], sizes: lean, run: [300, 900], start: 840 },
];

/** The journal, in the order of time. */
export function thousandJournal(): string {
  const wants = teams.flatMap(({ queue, ...team }) =>
    generate({ ...team, queues: [{ path: queue, weight: 1 }], priorities: ordinary }).split("\n").filter((line) => line.includes('"at"')));
  const timed = wants.map((line) => ({ line, at: Number.parseFloat(line.slice(line.indexOf('"at":"') + 6)) }));
  timed.sort((a, b) => a.at - b.at);
  return script(["0s", tree, ...nodes()]) + timed.map(({ line }) => `${line}\n`).join("");
}
