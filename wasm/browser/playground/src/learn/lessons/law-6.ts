import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const tree = (offset: number, fence = false) => queues({
  "root.prod": { guaranteed: { vcore: 4 }, "priority.offset": offset },
  "root.test": fence ? { "priority.policy": "fence" } : {},
});

const journal = script(
  ["0s", tree(0), ...["n1", "n2", "n3"].map((id) => node(id, 1)), app("jobs", "root.test"),
    runs("six", "jobs", "n1", 1, { priority: 6 }), runs("fifteen", "jobs", "n2", 1, { priority: 15 }), runs("thousand", "jobs", "n3", 1, { priority: 1000 })],
  ["1s", job("p", "root.prod", 1, { priority: 5 })],
  ["1m", { type: "ask.update", id: "p", priority: 6 }],
  ["2m", job("q", "root.prod", 1, { priority: 5 })],
  ["3m", tree(10)],
  ["4m", job("r", "root.prod", 1)],
  ["5m", tree(0, true)],
);

export const law6 = lesson({
  name: "law-6",
  title: "Law 6: no ask preempts a higher priority",
  group: "The laws of preemption",
  about: "An ask may preempt an equal priority, never a higher one. What counts is the priority that the two queues show where their branches meet.",
  minutes: 3,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: 5 against 6",
      text: `\`root.prod\` is guaranteed 4 cores and entitled. Its ask has priority 5; the three allocations have 6, 15 and 1000. All of them are higher, so it waits.`,
      goto: { seconds: 59 },
      expect: [{ kind: "victims", for: "p", victims: [] }, { kind: "verdict", ask: "p", verdict: "no-victims" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Allowed: 6 against 6",
      text: `The priority of the ask was raised to 6. An ask may preempt an equal priority in another queue: otherwise no guarantee could be claimed from work of the same priority. An update does not start the delay again, so the ask preempts at once.`,
      goto: { seconds: 60 },
      expect: [{ kind: "victims", for: "p", victims: ["six"] }],
      select: { kind: "ask", id: "six" },
    },
    {
      title: "Forbidden: 5 against 15",
      text: `The next ask has priority 5, and the lowest priority that still runs in \`test\` is 15.`,
      goto: { seconds: 179 },
      expect: [{ kind: "victims", for: "q", victims: [] }, { kind: "pending", ask: "q" }],
      select: { kind: "ask", id: "q" },
    },
    {
      title: "Allowed: 5 + 10 against 15",
      text: `What counts is the priority that each queue shows just below the queue where they meet. \`root.prod\` was given the offset 10, so it shows 15 for an ask of priority 5, and an equal priority may be preempted.`,
      goto: { seconds: 180 },
      expect: [{ kind: "victims", for: "q", victims: ["fifteen"] }],
      select: { kind: "ask", id: "fifteen" },
    },
    {
      title: "A fence hides a priority of 1000",
      text: `\`r\` asks with priority 0, and an allocation of priority 1000 runs. At 5m the offset was removed and \`root.test\` was **fenced**: it shows its offset, 0, whatever is inside. 0 against 0 is equal.

So a priority fence works in both directions: the priorities inside it neither help asks nor protect allocations against other queues.`,
      goto: { seconds: 300 },
      expect: [{ kind: "victims", for: "r", victims: ["thousand"] }],
      select: { kind: "ask", id: "thousand" },
    },
  ],
});
