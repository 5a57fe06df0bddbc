import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({
      "root.services": { guaranteed: { vcore: 8 }, "priority.offset": 10, "preemption.delay": "10s" },
      "root.research.vision": {},
      "root.research.text": { max: { vcore: 4 } },
    }),
    node("n1", { vcore: 8, memory: "32Gi" }), node("n2", { vcore: 8, memory: "32Gi" }), node("n3", { vcore: 8, memory: "32Gi" })],
  ["1s", app("shop", "root.services"), ask("shop", "shop", { vcore: 2, memory: "4Gi" }, { count: 2, priority: 5 })],
  ["5s", app("index", "root.research.text"), ask("index", "index", { vcore: 2, memory: "4Gi" }, { count: 3, run: "5m" })],
  ["10s", app("train", "root.research.vision"), ask("train", "train", { vcore: 3, memory: "8Gi" }, { count: 5, run: "20m" })],
  ["20s", ask("rush", "shop", { vcore: 3, memory: "6Gi" }, { priority: 5 })],
);

export const firstSteps = lesson({
  name: "first-steps",
  title: "First steps",
  group: "Start here",
  about: "Three nodes and three teams: one ask is placed, one waits, and a guarantee is enforced.",
  minutes: 2,
  journal,
  grace: 5,
  speed: 1,
  steps: [
    {
      title: "A cluster",
      text: `Three nodes of 8 cores each, and a **tree of queues**. **Queues** shows the tree, **Nodes** the nodes.

- \`root.services\` has a **guaranteed** of 8 cores: it gets them when it asks for them.
- \`root.research.text\` has a **max** of 4 cores: it never uses more.
- \`root.research.vision\` has neither.

Nothing runs yet. Choose **Next** to move on in time; you can always go back.`,
      goto: { seconds: 0 },
      expect: [
        { kind: "decisions", type: "node.accepted", count: 3 },
        { kind: "headroom", queue: "root.research.text", type: "vcore", amount: 4 },
      ],
    },
    {
      title: "An application asks",
      text: `The application \`shop\` was submitted to \`root.services\` and **asks** twice for 2 cores. There is room, so both asks become **allocations** in the same instant.

The least used node comes first, so they run on different nodes. Each decision is a line in **Decisions**.`,
      goto: { seconds: 1 },
      expect: [
        { kind: "allocated", ask: "shop-1", node: "n1" },
        { kind: "allocated", ask: "shop-2", node: "n2" },
        { kind: "used", queue: "root.services", type: "vcore", amount: 4 },
      ],
      select: { kind: "app", id: "shop" },
    },
    {
      title: "One ask has to wait",
      text: `\`index\` asks three times for 2 cores in \`root.research.text\`. Two asks are placed. The third waits, although every node has room.

\`index-3\` is selected. The **Inspector** says why it waits: its queue has a max of 4 cores and uses all of them. More nodes would not help.`,
      goto: { seconds: 5 },
      expect: [
        { kind: "allocated", ask: "index-1" },
        { kind: "allocated", ask: "index-2" },
        { kind: "pending", ask: "index-3" },
        { kind: "explains", ask: "index-3", reason: "headroom" },
      ],
      select: { kind: "ask", id: "index-3" },
    },
    {
      title: "The cluster fills up",
      text: `\`train\` takes 15 cores in \`root.research.vision\`. No other queue asked for them, and that queue has no max. A guarantee does not set resources aside: other queues may use them until they are asked for.

23 of 24 cores are in use now.`,
      goto: { seconds: 10 },
      expect: [
        { kind: "used", queue: "root.research.vision", type: "vcore", amount: 15 },
        { kind: "used", queue: "root", type: "vcore", amount: 23 },
      ],
      select: { kind: "queue", id: "root.research.vision" },
    },
    {
      title: "A queue claims its guarantee",
      text: `Now \`shop\` needs 3 more cores, and no node has them. But \`root.services\` uses 4 of its guaranteed 8: it is **entitled** to more.

Before an allocation has to leave, the ask waits for its delay, 10 seconds here. Ask the **Inspector** which allocations it would preempt: the question changes nothing.`,
      goto: { seconds: 20 },
      expect: [
        { kind: "pending", ask: "rush" },
        { kind: "explains", ask: "rush", reason: "no-node-fits" },
        { kind: "verdict", ask: "rush", verdict: "preempts" },
      ],
      select: { kind: "ask", id: "rush" },
    },
    {
      title: "An allocation has to leave",
      text: `The delay is over. Of all lawful sets of victims the scheduler chooses the least harmful: here one allocation, of no higher priority, and the youngest of those that are alike. It is told to **leave**, and its node is kept for \`rush\`.`,
      goto: { seconds: 30 },
      expect: [
        { kind: "victims", for: "rush", victims: ["train-5"] },
        { kind: "pending", ask: "rush" },
      ],
      select: { kind: "ask", id: "train-5" },
    },
    {
      title: "The guarantee is met",
      text: `The victim took five seconds to leave, and \`rush\` runs in its place. \`root.services\` uses 7 cores, still within its guarantee.

These are the essentials: a tree of queues, an order, limits and guarantees. The other lessons explain each of them.`,
      goto: { seconds: 35 },
      expect: [
        { kind: "allocated", ask: "rush" },
        { kind: "used", queue: "root.services", type: "vcore", amount: 7 },
      ],
      select: { kind: "ask", id: "rush" },
      try: "Add a node of 8 cores and see which asks are placed on it. Or submit an application of your own to root.research.text: it waits, however much room there is.",
    },
  ],
});
