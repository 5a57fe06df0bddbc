import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const tree = { "root.spread": {}, "root.pack": {} };
const apart = { zone: ["a"] };

const journal = script(
  ["0s", queues(tree, ["nodesortpolicy: {type: fair}"]), ...["n1", "n2", "n3"].map((id) => node(id, 10, { attributes: { zone: "a" } })),
    app("fair", "root.spread"), ask("s", "fair", 2, { count: 4, constraints: apart })],
  ["1m", queues(tree, ["nodesortpolicy: {type: binpacking}"]), app("full", "root.pack"), ask("p", "full", 2, { count: 4, constraints: apart })],
);

export const nodeOrder = lesson({
  name: "node-order",
  title: "Spread or pack",
  group: "Scheduling order",
  about: "The same asks with the node orders fair and binpacking; binpacking leaves whole nodes free.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "fair: the least used node",
      text: `Three nodes of 10 cores, four asks of 2. With \`nodesortpolicy: fair\` the least used node comes first, so the asks go to \`n1\`, \`n2\`, \`n3\`, and \`n1\` again.

Where nodes are alike, the ID decides.`,
      goto: { seconds: 0 },
      expect: [
        { kind: "allocated", ask: "s-1", node: "n1" },
        { kind: "allocated", ask: "s-2", node: "n2" },
        { kind: "allocated", ask: "s-3", node: "n3" },
        { kind: "allocated", ask: "s-4", node: "n1" },
      ],
    },
    {
      title: "binpacking: the fullest node with room",
      text: `The configuration was reloaded with \`binpacking\`, and four asks of 2 cores arrived. \`n1\` was the fullest and takes three of them, until it is full; then \`n2\` takes the last one.

Running allocations stay where they are: the order of nodes moves no allocation.`,
      goto: { seconds: 60 },
      expect: [
        { kind: "allocated", ask: "p-1", node: "n1" },
        { kind: "allocated", ask: "p-2", node: "n1" },
        { kind: "allocated", ask: "p-3", node: "n1" },
        { kind: "allocated", ask: "p-4", node: "n2" },
        { kind: "allocated", ask: "s-4", node: "n1" },
      ],
      select: { kind: "node", id: "n1" },
      try: "Open Compare with the two orders on a workload of your own: the packed cluster keeps nodes free for large asks.",
    },
  ],
});
