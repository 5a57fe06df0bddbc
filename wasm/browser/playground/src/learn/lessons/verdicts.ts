import { lesson } from "../course";
import { app, ask, job, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({
      "root.prod": { guaranteed: { vcore: 4 }, max: { vcore: 6 } },
      "root.org": { guaranteed: { vcore: 2 }, "preemption.policy": "fence" },
      "root.org.team": {},
      "root.off": { guaranteed: { vcore: 1 }, "preemption.policy": "disabled" },
      "root.test": {},
    }),
    node("n1", 8), node("n2", 8), app("t", "root.test"), runs("t", "t", "n1", 1, { count: 8 }), runs("u", "t", "n2", 8, { priority: 50 })],
  ["1s",
    app("p", "root.prod"), ask("takes", "p", 1), ask("polite", "p", 1, { preempt_others: false }), ask("large", "p", 7), ask("giant", "p", 9),
    ask("low", "p", 1, { priority: -1 })],
  ["2s", job("fenced", "root.org.team", 1), job("off", "root.off", 1), job("poor", "root.test", 1)],
  ["40s", { type: "tick" }],
);

export const verdicts = lesson({
  name: "verdicts",
  title: "Which allocations it would preempt",
  group: "Explanations",
  about: "A dry run of preemption for nine asks: each verdict once, and what helps.",
  minutes: 3,
  journal,
  grace: 3600,
  steps: [
    {
      title: "It would preempt one",
      text: `The cluster is full. \`takes\` is entitled, and the panel names the allocations that it would preempt, on which node, and when: the delay is not over yet. The question changes nothing.`,
      goto: { seconds: 2 },
      expect: [{ kind: "verdict", ask: "takes", verdict: "preempts" }, { kind: "pending", ask: "takes" }],
      select: { kind: "ask", id: "takes" },
    },
    {
      title: "It opted out, or is too large",
      text: `- \`polite\` was submitted with the option not to preempt others.
- \`giant\` asks for 9 cores; no node has them even when empty. \`large\` asks for 7 in a queue that may use 6: the ask alone would exceed the max.`,
      goto: { seconds: 2 },
      expect: [
        { kind: "verdict", ask: "polite", verdict: "preempts-nobody" },
        { kind: "verdict", ask: "giant", verdict: "no-node" },
        { kind: "verdict", ask: "large", verdict: "over-max" },
      ],
      select: { kind: "ask", id: "large" },
    },
    {
      title: "It is not entitled",
      text: `- \`off\` is in a queue with \`preemption.policy: disabled\`.
- \`fenced\` has a guarantee, but only at its fence or above: the ask would have to preempt outside the fence.
- \`poor\` is in a queue without a guarantee.`,
      goto: { seconds: 2 },
      expect: [
        { kind: "verdict", ask: "off", verdict: "disabled" },
        { kind: "verdict", ask: "fenced", verdict: "fenced" },
        { kind: "verdict", ask: "poor", verdict: "not-entitled" },
      ],
      select: { kind: "ask", id: "fenced" },
    },
    {
      title: "No possible victims",
      text: `\`low\` has the priority −1, and all allocations have a higher one. It is entitled, and no node has a lawful set of victims.`,
      goto: { seconds: 2 },
      expect: [{ kind: "verdict", ask: "low", verdict: "no-victims" }],
      select: { kind: "ask", id: "low" },
    },
    {
      title: "It has preempted",
      text: `The delay is over, and \`takes\` waits for its victim, which takes some time to leave. The panel names the allocations that have yet to leave; their panels name the ask that preempts them, and the right.`,
      goto: { seconds: 40 },
      expect: [{ kind: "verdict", ask: "takes", verdict: "waits-for-victims" }, { kind: "victims", for: "takes", victims: ["t-8"] }],
      select: { kind: "ask", id: "t-8" },
    },
  ],
});
