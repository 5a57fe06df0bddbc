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
  title: "Law 6: nobody takes from a higher priority",
  group: "The laws of preemption",
  about: "Equal may be taken, higher may not: as the two queues show it where their branches part.",
  minutes: 3,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: 5 against 6",
      text: `\`root.prod\` is entitled to 4 cores. Its ask has priority 5; the three that run have 6, 15 and 1000. All of them are higher, so it waits.`,
      goto: { seconds: 59 },
      expect: [{ kind: "victims", for: "p", victims: [] }, { kind: "verdict", ask: "p", verdict: "no-victims" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Allowed: 6 against 6",
      text: `The ask was raised to 6. Equal priorities may be taken, across queues: otherwise no promise could be called in from somebody of the same rank. An update does not start the delay again, so it happens at once.`,
      goto: { seconds: 60 },
      expect: [{ kind: "victims", for: "p", victims: ["six"] }],
      select: { kind: "ask", id: "six" },
    },
    {
      title: "Forbidden: 5 against 15",
      text: `The next one has 5, and the lowest that still runs in \`test\` has 15.`,
      goto: { seconds: 179 },
      expect: [{ kind: "victims", for: "q", victims: [] }, { kind: "pending", ask: "q" }],
      select: { kind: "ask", id: "q" },
    },
    {
      title: "Allowed: 5 + 10 against 15",
      text: `What counts is what the queues show just below the queue where they meet. \`root.prod\` was given the offset 10: its 5 is seen as 15, and equal may be taken.`,
      goto: { seconds: 180 },
      expect: [{ kind: "victims", for: "q", victims: ["fifteen"] }],
      select: { kind: "ask", id: "fifteen" },
    },
    {
      title: "A fence hides a thousand",
      text: `\`r\` asks with priority 0, and 1000 runs. At 5m the offset was taken back and \`root.test\` was **fenced**: it shows its offset, 0, whatever is inside. 0 against 0 is equal.

So a priority fence works both ways: what is inside can neither push ahead nor hold its ground.`,
      goto: { seconds: 300 },
      expect: [{ kind: "victims", for: "r", victims: ["thousand"] }],
      select: { kind: "ask", id: "thousand" },
    },
  ],
});
