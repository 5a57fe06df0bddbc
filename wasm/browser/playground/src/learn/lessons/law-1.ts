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
  title: "Law 1: wishes, not walls",
  group: "The laws of preemption",
  about: "Who asks to be spared is spared while another will do, and goes when nothing else is enough.",
  minutes: 1,
  journal,
  grace: 5,
  steps: [
    {
      title: "Two that could go",
      text: `\`root.prod\` is guaranteed 2 cores and uses none; \`root.test\` was promised nothing and has both. \`spare-me\` asked not to be preempted (\`preemptable: false\`).

Of two that are alike the younger would go, and that is \`spare-me\`.`,
      goto: { seconds: 1 },
      expect: [{ kind: "pending", ask: "p" }, { kind: "verdict", ask: "p", verdict: "preempts" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "It is spared",
      text: `30 seconds later \`p\` takes the other one. What asked to be spared comes before age, and before priority.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "p", victims: ["plain"] }, { kind: "allocated", ask: "spare-me" }],
      select: { kind: "ask", id: "plain" },
    },
    {
      title: "It goes when nothing else is enough",
      text: `\`q\` is entitled to the second core of the promise, and only \`spare-me\` can make room. It goes. A queue's guaranteed would be worth nothing if everybody could opt out of it.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "q", victims: ["spare-me"] }],
      select: { kind: "ask", id: "spare-me" },
    },
  ],
});
