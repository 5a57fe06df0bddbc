import { lesson } from "../course";
import { app, ask, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 3 } }, "root.test": { guaranteed: { vcore: 2 } } }), node("n1", 5),
    app("test", "root.test"), runs("t", "test", "n1", 1, { count: 5 })],
  ["1s", app("prod", "root.prod"), ask("p", "prod", 1, { count: 4 })],
  ["36s", ask("t-5-again", "test", 1)],
  ["41s", ask("t-4-again", "test", 1)],
  ["46s", ask("t-3-again", "test", 1)],
  ["24h", { type: "tick" }],
);

export const replicaset3 = lesson({
  name: "replicaset-3",
  title: "Two ReplicaSets: one after the other",
  group: "Preemption at work",
  about: "A queue preempts until it has its guarantee, and the tasks that it displaced cannot prevent that.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "One queue uses everything",
      text: `\`root.test\` runs 5 tasks and is guaranteed 2. \`root.prod\` is guaranteed 3, runs nothing, and asks for 4.`,
      goto: { seconds: 1 },
      expect: [{ kind: "pending", ask: "p-1" }, { kind: "used", queue: "root.test", type: "vcore", amount: 5 }],
    },
    {
      title: "The first exchange",
      text: `\`t-5\` is preempted for \`p-1\`, and its replacement asks at once. With 1 of 3 cores \`prod\` is still below its guarantee: it may preempt again, and its own allocation is protected.`,
      goto: { seconds: 36 },
      expect: [{ kind: "allocated", ask: "p-1" }, { kind: "pending", ask: "t-5-again" }, { kind: "victims", for: "p-1", victims: ["t-5"] }],
      select: { kind: "ask", id: "t-5-again" },
    },
    {
      title: "Three exchanges in all",
      text: `Two more exchanges later \`prod\` has its 3 cores and \`test\` its 2. The fourth ask is not entitled.`,
      goto: { seconds: 46 },
      expect: [
        { kind: "used", queue: "root.prod", type: "vcore", amount: 3 },
        { kind: "used", queue: "root.test", type: "vcore", amount: 2 },
        { kind: "verdict", ask: "p-4", verdict: "not-entitled" },
      ],
      select: { kind: "ask", id: "p-4" },
    },
    {
      title: "No more exchanges",
      text: `Nothing has moved since. Every preemption by guarantee brings a queue nearer to its guarantee and takes none below its own, so their number is limited.`,
      goto: { seconds: 86400 },
      expect: [{ kind: "decisions", type: "preemption", count: 3 }, { kind: "pending", ask: "t-3-again" }],
    },
  ],
});
