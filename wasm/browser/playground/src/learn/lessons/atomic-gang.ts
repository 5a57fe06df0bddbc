import { lesson } from "../course";
import { app, ask, job, node, queues, script } from "../script";

const together = { gang: "workers", gang_min: 4 };

const journal = script(
  ["0s", queues({ "root.training": {}, "root.other": {} }), node("n1", 12), app("green", "root.training"), app("gold", "root.other")],
  ["1s", ask("green", "green", 2, { count: 4 }), ask("gold", "gold", 2, { count: 4 })],
  ["1h", { type: "app.remove", id: "green" }, { type: "app.remove", id: "gold" }, app("red", "root.training"), app("blue", "root.other")],
  ["1h1s", ask("red", "red", 2, { count: 4, run: "10m", ...together }), ask("blue", "blue", 2, { count: 4, run: "10m", ...together })],
  ["1h1m", job("small", "root.training", 4, { run: "5m" })],
  ["1h12m", app("last", "root.other"), ask("last", "last", 2, { count: 4, gang_timeout: "2m", ...together })],
  ["1h15m", { type: "tick" }],
);

export const atomicGang = lesson({
  name: "atomic-gang",
  title: "All at once, or not at all",
  group: "Gangs",
  about: "Two trainings that hold half of the cluster each and wait forever, and how an atomic gang avoids that.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "Two trainings, room for one and a half",
      text: `\`green\` and \`gold\` have four workers of 2 cores each, and no worker can start work before all four run. The node has 12 cores, so six workers fit. The two trainings could run one after the other.

These are ordinary asks. The two queues take turns, since the queue with the lower share comes first. **Predict:** which training runs?`,
      goto: { seconds: 1 },
      expect: [
        { kind: "order", asks: ["gold-1", "green-1", "gold-2", "green-2", "gold-3", "green-3"] },
        { kind: "pending", ask: "green-4" },
        { kind: "pending", ask: "gold-4" },
        { kind: "explains", ask: "green-4", reason: "no-node-fits" },
      ],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "A deadlock",
      text: `Neither. Each has three workers and waits for the fourth, whose cores the other training holds. An hour later nothing has changed, and it never will: all 12 cores are in use, and no training has begun.

**Predict:** after one hour both are removed, and two other trainings arrive with the same workers. Each of their asks names the \`gang\` \`workers\`, with \`gang_min: 4\`.`,
      goto: { seconds: 3599 },
      expect: [
        { kind: "used", queue: "root.training", type: "vcore", amount: 6 },
        { kind: "used", queue: "root.other", type: "vcore", amount: 6 },
        { kind: "pending", ask: "green-4" },
        { kind: "pending", ask: "gold-4" },
        { kind: "decisions", type: "allocation", count: 6 },
      ],
      select: { kind: "ask", id: "green-4" },
    },
    {
      title: "Four workers by one decision",
      text: `\`blue\` has all four, and \`red\` has none. A gang is placed as if it were one ask: either at least \`gang_min\` members fit at the same time and are allocated together, or none is.

4 cores are free. Two workers of \`red\` would fit there, but \`red\` takes neither place.`,
      goto: { seconds: 3601 },
      expect: [
        { kind: "together", asks: ["blue-1", "blue-2", "blue-3", "blue-4"] },
        { kind: "pending", ask: "red-1" },
        { kind: "explains", ask: "red-1", reason: "gang-does-not-fit" },
        { kind: "used", queue: "root.training", type: "vcore", amount: 0 },
      ],
      select: { kind: "ask", id: "red-1" },
    },
    {
      title: "A waiting gang holds nothing",
      text: `\`small\` arrived a minute later in the queue of \`red\`, and runs in the 4 free cores. A waiting gang holds no resources, no nodes and no reservation, so it delays neither other work nor other gangs.

**Predict:** \`blue\` runs for ten minutes. What happens then?`,
      goto: { seconds: 3660 },
      expect: [{ kind: "allocated", ask: "small", node: "n1" }, { kind: "pending", ask: "red-1" }, { kind: "used", queue: "root.training", type: "vcore", amount: 4 }],
      select: { kind: "ask", id: "small" },
    },
    {
      title: "One after the other",
      text: `\`blue\` has ended, and in the same instant one decision places the four workers of \`red\`. Two trainings take twenty minutes, where the first two would have waited forever.

**Predict:** \`last\` arrives while \`red\` runs, with \`gang_timeout: 2m\`. What happens to it?`,
      goto: { seconds: 4201 },
      expect: [{ kind: "together", asks: ["red-1", "red-2", "red-3", "red-4"] }, { kind: "used", queue: "root.training", type: "vcore", amount: 8 }, { kind: "used", queue: "root.other", type: "vcore", amount: 0 }],
      select: { kind: "app", id: "red" },
    },
    {
      title: "A timeout of two minutes",
      text: `\`red\` runs until 1h20m, so \`last\` found no room within its two minutes. All its asks were rejected together, with the reason \`gang-timeout\`. Without \`gang_timeout\` they would still wait.`,
      goto: { seconds: 4440 },
      expect: [{ kind: "rejected", id: "last-1", reason: "gang-timeout" }, { kind: "rejected", id: "last-4", reason: "gang-timeout" }, { kind: "decisions", type: "ask.rejected", count: 4 }],
      select: { kind: "app", id: "last" },
      try: "Go back to 1s and add a node of 4 cores: the seventh and the eighth worker run, and the deadlock is gone. It returns with the next training.",
    },
  ],
});
