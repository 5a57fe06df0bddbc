import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const tree = { "root.prod": { guaranteed: { vcore: 2 } }, "root.test": {} };

const journal = script(
  ["0s", queues(tree, ["preemption: {enabled: false}"]), node("n1", 2), app("t", "root.test"), runs("t", "t", "n1", 1, { count: 2 }), ...job("p", "root.prod", 1)],
  ["2m", queues(tree, ["preemption: {observe: true}"])],
  ["4m", queues({ ...tree, "root.test": { "preemption.policy": "disabled" } })],
  ["6m", queues(tree)],
);

export const observe = lesson({
  name: "observe",
  title: "Off, observed, on",
  group: "Preemption at work",
  about: "The switches of preemption, and how to see what it would do before it is on.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Switched off",
      text: `The partition has \`preemption: {enabled: false}\`. \`p\` is entitled, but does not preempt.`,
      goto: { seconds: 119 },
      expect: [{ kind: "decisions", type: "preemption", count: 0 }, { kind: "verdict", ask: "p", verdict: "switched-off" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Observed",
      text: `With \`preemption: {observe: true}\` the same search is made, and its result is recorded as \`preemption.observed\`, once for each ask. No allocation is told to leave.`,
      goto: { seconds: 120 },
      expect: [{ kind: "decisions", type: "preemption.observed", count: 1 }, { kind: "decisions", type: "preemption", count: 0 }, { kind: "pending", ask: "p" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Off for one branch",
      text: `Preemption is on, but \`root.test\` has \`preemption.policy: disabled\`: guarantees neither preempt for its asks nor preempt its allocations.`,
      goto: { seconds: 240 },
      expect: [{ kind: "decisions", type: "preemption", count: 0 }, { kind: "verdict", ask: "p", verdict: "no-victims" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "On",
      text: `Without these lines preemption by guarantees is on. The preemption that was observed takes place.`,
      goto: { seconds: 365 },
      expect: [{ kind: "victims", for: "p", victims: ["t-2"] }, { kind: "allocated", ask: "p" }],
      select: { kind: "ask", id: "p" },
    },
  ],
});
