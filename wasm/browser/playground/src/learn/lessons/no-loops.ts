import { lesson } from "../course";
import { app, ask, job, node, queues, runs, script } from "../script";

const two = { guaranteed: { vcore: 2 } };

const journal = script(
  ["0s", queues({ "root.a": two, "root.b": two, "root.c": two }), ...["n1", "n2", "n3"].map((id) => node(id, 2)), app("a", "root.a"),
    runs("a1", "a", "n1", 1, { count: 2 }), runs("a2", "a", "n2", 1, { count: 2 }), runs("a3", "a", "n3", 1, { count: 2 })],
  ["1s", app("b", "root.b"), app("c", "root.c"), ask("b", "b", 1, { count: 6 }), ask("c", "c", 1, { count: 6 })],
  ["2m", ask("a-again", "a", 1, { count: 4 })],
  ["1h", queues({ "root.a": two, "root.b": two, "root.c": two, "root.ds": {} }), job("daemon", "root.ds", 1, { node: "n1", priority: 1 })],
  ["2h", { type: "tick" }],
);

export const noLoops = lesson({
  name: "no-loops",
  title: "Why preemption comes to an end",
  group: "Preemption at work",
  about: "Three queues with a guarantee each, one of which used everything: four exchanges, then no more.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Six cores, three guarantees",
      text: `Each of three queues is guaranteed 2 cores. \`root.a\` uses all six; \`root.b\` and \`root.c\` ask for six each.`,
      goto: { seconds: 1 },
      expect: [{ kind: "used", queue: "root.a", type: "vcore", amount: 6 }, { kind: "pending", ask: "b-1" }, { kind: "pending", ask: "c-1" }],
    },
    {
      title: "Two cores each",
      text: `Four tasks of \`a\` were preempted, and each queue uses its 2 cores. The eight asks that are left in \`b\` and \`c\` are not entitled.`,
      goto: { seconds: 119 },
      expect: [
        { kind: "decisions", type: "preemption", count: 4 },
        { kind: "used", queue: "root.a", type: "vcore", amount: 2 },
        { kind: "used", queue: "root.b", type: "vcore", amount: 2 },
        { kind: "used", queue: "root.c", type: "vcore", amount: 2 },
      ],
    },
    {
      title: "The displaced tasks ask again",
      text: `\`a\` asks again for the four cores. It has its guarantee, and so have the others: no queue may preempt in another. An hour later nothing has changed.`,
      goto: { seconds: 3599 },
      expect: [{ kind: "decisions", type: "preemption", count: 4 }, { kind: "pending", ask: "a-again-1" }, { kind: "verdict", ask: "a-again-1", verdict: "not-entitled" }],
      select: { kind: "ask", id: "a-again-1" },
    },
    {
      title: "A required node",
      text: `An ask with a required node arrived, for \`n1\`. It needs no guarantee, and preempts the least harmful allocation on its node. The victim's queue is below its guarantee now; but no queue is above its own, so there are no further victims. After this one exchange nothing moves again.`,
      goto: { seconds: 7200 },
      expect: [{ kind: "decisions", type: "preemption", count: 5 }, { kind: "allocated", ask: "daemon", node: "n1" }],
      select: { kind: "ask", id: "daemon" },
    },
  ],
});
