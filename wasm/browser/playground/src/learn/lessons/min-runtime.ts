import { lesson } from "../course";
import { job, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 2 }, "preemption.delay": "1s" }, "root.test": { "preemption.min-runtime": "10m" }, "root.batch": {} }), node("n1", 2),
    job("trial", "root.test", 1), job("batch", "root.batch", 1)],
  ["1m", job("first", "root.prod", 1)],
  ["2m", job("second", "root.prod", 1)],
);

export const minRuntime = lesson({
  name: "min-runtime",
  title: "Ten minutes at least",
  group: "Over time",
  about: "preemption.min-runtime spares an allocation until it has run for some time.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "Two that could leave",
      text: `\`root.prod\` is guaranteed two cores and uses none. Its ask \`first\` may preempt a second after it has come. Both allocations on \`n1\` are of queues without a guarantee.

**Predict:** which of them leaves?`,
      goto: { seconds: 60 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "trial" }, { kind: "allocated", ask: "batch" }, { kind: "pending", ask: "first" }],
      select: { kind: "ask", id: "first" },
    },
    {
      title: "Not the one that has just begun",
      text: `\`batch\`. The queue of \`trial\` has \`preemption.min-runtime: 10m\`, and \`trial\` has run for one minute only. What was computed in its first minutes would be lost.`,
      goto: { seconds: 61 },
      overTime: true,
      expect: [{ kind: "victims", for: "first", victims: ["batch"] }, { kind: "allocated", ask: "first", node: "n1" }, { kind: "allocated", ask: "trial" }],
      select: { kind: "ask", id: "batch" },
    },
    {
      title: "No other is left",
      text: `\`second\` finds \`trial\` alone, and waits. It need not ask again and again: the time at which \`trial\` has run long enough is known.`,
      goto: { seconds: 300 },
      overTime: true,
      expect: [{ kind: "pending", ask: "second" }, { kind: "victims", for: "second", victims: [] }],
      select: { kind: "ask", id: "second" },
    },
    {
      title: "Ten minutes have passed",
      text: `At 10m \`trial\` has run for its ten minutes, and is told to leave.`,
      goto: { seconds: 600 },
      overTime: true,
      expect: [{ kind: "victims", for: "second", victims: ["trial"] }, { kind: "allocated", ask: "second", node: "n1" }],
      select: { kind: "ask", id: "trial" },
      try: "Set preemption.min-runtime.required: true and see in the reference which preemptions are otherwise free of it.",
    },
  ],
});
