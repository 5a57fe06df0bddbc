import { lesson } from "../course";
import { app, ask, job, node, queues, runs, script } from "../script";

const capacity = { vcore: 10, memory: "100Gi" };

const journal = script(
  ["0s", queues({ "root.default": {} }), node("cores", capacity), node("even", capacity), app("fill", "root.default"),
    runs("f1", "fill", "cores", { vcore: 9, memory: "50Gi" }), runs("f2", "fill", "even", { vcore: "7500m", memory: "75Gi" })],
  ["10s", job("first", "root.default", { vcore: "500m", memory: "1Gi" })],
  ["1m", queues({ "root.default": {} }, ["nodesortpolicy: {type: fair, resourceweights: {vcore: 4, memory: 1}}"])],
  ["1m10s", ask("second", "first", { vcore: "500m", memory: "1Gi" })],
);

export const nodeWeights = lesson({
  name: "node-weights",
  title: "How full a node is",
  group: "Scheduling order",
  about: "90% of the cores and 50% of the memory: 70% full, or 82% where cores weigh more.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "Two nodes, 70% and 75%",
      text: `The **utilisation** of a node is the mean of used divided by capacity, over the types that have a weight. By default \`vcore\` and \`memory\` weigh 1 each.

- \`cores\` uses 90% of its cores and 50% of its memory: (90 + 50) / 2 = **70%**.
- \`even\` uses 75% of both: **75%**.`,
      goto: { seconds: 0 },
      expect: [{ kind: "allocated", ask: "f1", node: "cores" }, { kind: "allocated", ask: "f2", node: "even" }],
      select: { kind: "node", id: "cores" },
    },
    {
      title: "70% comes first",
      text: `A small ask arrived and is placed on the less utilised node, \`cores\`.`,
      goto: { seconds: 10 },
      expect: [{ kind: "allocated", ask: "first", node: "cores" }],
      select: { kind: "ask", id: "first" },
    },
    {
      title: "With weights 4 and 1: 82%",
      text: `\`resourceweights: {vcore: 4, memory: 1}\` makes cores count four times. The same 90% and 50% are (4 × 90 + 50) / 5 = **82%** now, and \`even\` stays at 75%: the next ask goes there.`,
      goto: { seconds: 70 },
      expect: [{ kind: "allocated", ask: "second", node: "even" }],
      select: { kind: "ask", id: "second" },
      try: "Set the weights to {vcore: 1, memory: 4}: memory counts, and cores is at 58%.",
    },
  ],
});
