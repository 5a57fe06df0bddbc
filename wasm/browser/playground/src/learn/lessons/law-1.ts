import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 2 } }, "root.test": {} }), node("n1", 2), app("jobs", "root.test"),
    runs("plain", "jobs", "n1", 1), runs("spare-me", "jobs", "n1", 1, { preemptable: false })],
  ["1s", job("p", "root.prod", 1)],
  ["1m", job("q", "root.prod", 1)],
);

export const law1 = lesson({
  name: "law-1",
  title: "Law 1: an opt-out is a preference",
  group: "The laws of preemption",
  about: "An allocation that asked not to be preempted is preempted only when no other set of victims is enough.",
  minutes: 1,
  journal,
  grace: 5,
  steps: [
    {
      title: "Two possible victims",
      text: `\`root.prod\` is guaranteed 2 cores and uses none; \`root.test\` has no guarantee and uses both. \`spare-me\` asked not to be preempted (\`preemptable: false\`).

Of two victims that are alike the younger would be preempted, and that is \`spare-me\`.`,
      goto: { seconds: 1 },
      expect: [{ kind: "pending", ask: "p" }, { kind: "verdict", ask: "p", verdict: "preempts" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "It is spared",
      text: `30 seconds later \`p\` preempts the other one. The wish not to be preempted counts before age, and before priority.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "p", victims: ["plain"] }, { kind: "allocated", ask: "spare-me" }],
      select: { kind: "ask", id: "plain" },
    },
    {
      title: "It is preempted when nothing else is enough",
      text: `\`q\` is entitled to the second guaranteed core, and only \`spare-me\` can make room. It is preempted. A guarantee would be worthless if every allocation could opt out of it.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "q", victims: ["spare-me"] }],
      select: { kind: "ask", id: "spare-me" },
    },
  ],
});
