import { lesson } from "../course";
import { app, ask, node, queues, runs, script } from "../script";

const names = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"];

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 8 } }, "root.research.vision": { guaranteed: { vcore: 2 } }, "root.research.text": {} }),
    ...names.map((id) => node(id, 4)),
    app("web", "root.prod"), app("fit", "root.research.vision"), app("batch", "root.research.text"),
    runs("web-1", "web", "n9", 4),
    runs("driver", "batch", "n1", 4, { originator: true }),
    runs("notebook", "batch", "n2", 4, { preemptable: false }),
    runs("urgent", "batch", "n3", 4, { priority: 3 }),
    runs("small", "batch", "n4", 1, { priority: 1, count: 4 }),
    runs("even", "batch", "n5", 2, { priority: 1, count: 2 }),
    runs("coarse-1", "batch", "n6", 2, { priority: 1 }), runs("coarse-0", "batch", "n6", 2),
    runs("old-1", "batch", "n7", 2, { priority: 1 }), runs("old-0", "batch", "n7", 1), runs("fit-1", "fit", "n7", 1),
    runs("young-1", "batch", "n8", 2, { priority: 1 }), runs("young-0", "batch", "n8", 1), runs("fit-2", "fit", "n8", 1)],
  ["1m", ask("web-2", "web", 3, { priority: 5 })],
  ["3m", { type: "node.drain", id: "n7" }, ask("web-3", "web", 1, { priority: 5 })],
);

export const leastHarm = lesson({
  name: "least-harm",
  title: "The least harm",
  group: "Preemption at work",
  about: "Nine full nodes, nine ways to make room, and the criteria by which one of them is chosen.",
  minutes: 4,
  journal,
  grace: 10,
  steps: [
    {
      title: "Nine full nodes",
      text: `Each node has 4 cores, and all are in use. \`root.prod\` uses 4 of its guaranteed 8. \`root.research.vision\` uses exactly the 2 that it is guaranteed, and \`root.research.text\` has no guarantee.`,
      goto: { seconds: 0 },
      expect: [{ kind: "used", queue: "root", type: "vcore", amount: 36 }, { kind: "used", queue: "root.prod", type: "vcore", amount: 4 }],
    },
    {
      title: "Which allocations would it preempt?",
      text: `\`web-2\` needs 3 cores, with priority 5. Every node but \`n9\` has a lawful set of victims. They are compared by one criterion after the other:

- fewest **originators**: \`n1\` runs a driver, and is out;
- fewest that **asked not to be preempted**: \`n2\` is out;
- the lowest highest **priority**: \`n3\` has 3, others 1;
- **fewest** victims: \`n4\` would lose three, others two;
- lower priorities, compared from the highest: \`n5\` has 1 and 1, others 1 and 0;
- the least left **free beyond the need**: \`n6\` would free one core too many;
- the **younger**: between \`n7\` and \`n8\` age decides.`,
      goto: { seconds: 60 },
      expect: [{ kind: "pending", ask: "web-2" }, { kind: "verdict", ask: "web-2", verdict: "preempts" }],
      select: { kind: "ask", id: "web-2" },
      try: "Choose “Which allocations would it preempt?” in the Inspector: it shows the victims on the grid, and the next best set with what makes it worse.",
    },
    {
      title: "The choice",
      text: `After the delay \`young-1\` and \`young-0\` are told to leave. \`fit-2\` beside them is protected: \`vision\` uses just what it is guaranteed.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "web-2", victims: ["young-1", "young-0"] }, { kind: "held", node: "n8", ask: "web-2" }, { kind: "allocated", ask: "fit-2" }],
      select: { kind: "ask", id: "young-1" },
    },
    {
      title: "It lands",
      text: `Victims take ten seconds to leave in this lesson. Then \`web-2\` is allocated on the node that was kept for it.`,
      goto: { seconds: 100 },
      expect: [{ kind: "allocated", ask: "web-2", node: "n8" }, { kind: "used", queue: "root.prod", type: "vcore", amount: 7 }],
      select: { kind: "ask", id: "web-2" },
    },
    {
      title: "One more core",
      text: `\`web-3\` needs the eighth guaranteed core. \`n7\` was drained and accepts no asks. Of the possible victims the one with the lowest priority is preempted first: \`coarse-0\`, the only one of priority 0. That it frees one core too many matters less than its priority.`,
      goto: { seconds: 210 },
      expect: [{ kind: "victims", for: "web-3", victims: ["coarse-0"] }],
      select: { kind: "ask", id: "coarse-0" },
    },
  ],
});
