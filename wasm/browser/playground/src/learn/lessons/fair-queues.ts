import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 4 } }, "root.lab": { max: { vcore: 8 } } }),
    node("n1", 10), app("p", "root.prod"), app("l", "root.lab"), ask("p0", "p", 3), ask("l0", "l", 4)],
  ["10s", ask("p1", "p", 1), ask("l1", "l", 1)],
  ["1m",
    queues({ "root.prod": { guaranteed: { vcore: 4 } }, "root.lab": { max: { vcore: 8 } }, "root.a": { guaranteed: { vcore: 3 } }, "root.b": { guaranteed: { vcore: 6 } } }),
    app("a", "root.a"), app("b", "root.b"), ask("a", "a", 1, { count: 3 }), ask("b", "b", 1, { count: 6 })],
  ["1m10s", node("n2", 8)],
);

export const fairQueues = lesson({
  name: "fair-queues",
  title: "Fair between queues",
  group: "Scheduling order",
  about: "A queue's fair share, by its guarantee or the nearest max, and how queues take turns.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "Three quarters against a half",
      text: `The **fair share** of a queue is its usage divided by its guarantee; for a type without a guarantee, by the nearest max.

- \`root.prod\` uses 3 of its guaranteed 4: 0.75.
- \`root.lab\` has no guarantee and uses 4 of its max of 8: 0.5.`,
      goto: { seconds: 0 },
      expect: [{ kind: "share", queue: "root.prod", thousandths: 750 }, { kind: "share", queue: "root.lab", thousandths: 500 }],
      select: { kind: "queue", id: "root.prod" },
    },
    {
      title: "The smaller share comes first",
      text: `Both asked for one more core. \`lab\` was served first; its share rose to 5/8 = 0.625, still below 0.75. \`prod\` followed and is at 1.`,
      goto: { seconds: 10 },
      expect: [
        { kind: "order", asks: ["l1", "p1"] },
        { kind: "share", queue: "root.prod", thousandths: 1000 },
        { kind: "share", queue: "root.lab", thousandths: 625 },
      ],
      select: { kind: "queue", id: "root.lab" },
    },
    {
      title: "One to two",
      text: `\`root.a\` is guaranteed 3 cores and \`root.b\` 6; both ask for their whole guarantee and use nothing yet. One core of \`a\` counts as much as two of \`b\`.

There is one core left on \`n1\`. Both shares are 0, so the pending amounts decide: \`b\` waits for more, and is first.`,
      goto: { seconds: 60 },
      expect: [{ kind: "allocated", ask: "b-1" }, { kind: "pending", ask: "a-1" }],
    },
    {
      title: "They take turns, one to two",
      text: `A node was added, with room for the rest. The turns continue: \`a-1\`, two of \`b\`, one of \`a\`, two of \`b\`, until each queue uses what it is guaranteed.`,
      goto: { seconds: 70 },
      expect: [
        { kind: "order", asks: ["b-1", "a-1", "b-2", "b-3", "a-2", "b-4", "b-5", "a-3", "b-6"] },
        { kind: "share", queue: "root.a", thousandths: 1000 },
        { kind: "share", queue: "root.b", thousandths: 1000 },
      ],
      try: "Go back to 1m, change the guaranteed of root.a to 6 cores in Configure, and play on: now the queues take turns one to one.",
    },
  ],
});
