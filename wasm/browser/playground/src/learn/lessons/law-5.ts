import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const tree = (guaranteed: number) => queues({ "root.prod": { guaranteed: { vcore: 2 } }, "root.test": { guaranteed: { vcore: guaranteed } }, "root.dev": {} });

const journal = script(
  ["0s", tree(2), node("n1", 2), app("t", "root.test"), runs("t", "t", "n1", 1, { count: 2, priority: -100 })],
  ["1s", job("p", "root.prod", 1, { priority: 1000 })],
  ["2m", tree(1)],
  ["3m", node("n2", 1), app("d", "root.dev"), runs("d", "d", "n2", 1, { priority: 5 }), job("q", "root.prod", 1, { priority: 5 })],
);

export const law5 = lesson({
  name: "law-5",
  title: "Law 5: only a queue above its guarantee loses allocations",
  group: "The laws of preemption",
  about: "A queue at its guarantee is protected, whatever the priority of the ask.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: at the guarantee",
      text: `\`root.test\` uses the 2 cores that it is guaranteed. \`p\` asks for one with priority 1000 and is entitled to it, and the allocations of \`test\` have −100. A guarantee comes before priority: no allocation is preempted.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "p", victims: [] }, { kind: "verdict", ask: "p", verdict: "no-victims" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Allowed: one core above it",
      text: `A reload lowered the guarantee to 1 core. \`test\` is above it by one core now, and one allocation is preempted.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "p", victims: ["t-2"] }],
      select: { kind: "ask", id: "t-2" },
    },
    {
      title: "Priority does not override a guarantee",
      text: `\`q\` has priority 5. \`t-1\` has −100 and is protected; \`d\` has 5, and its queue has no guarantee. So \`d\` is preempted, although its priority is higher.`,
      goto: { seconds: 210 },
      expect: [{ kind: "victims", for: "q", victims: ["d"] }, { kind: "allocated", ask: "t-1" }],
      select: { kind: "ask", id: "d" },
    },
  ],
});
