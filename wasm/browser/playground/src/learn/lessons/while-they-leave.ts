import { lesson } from "../course";
import { app, job, node, queues, release, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 2 } }, "root.test": {} }), node("n1", 3), app("t", "root.test"), runs("t", "t", "n1", 1, { count: 3 })],
  ["1s", job("p", "root.prod", 2)],
  ["40s", release("t-3"), job("urgent", "root.test", 1, { priority: 1000 })],
  ["50s", node("n2", 8), job("pinned", "root.test", 1, { node: "n1", priority: 1000 })],
  ["1m", release("t-2")],
);

export const whileTheyLeave = lesson({
  name: "while-they-leave",
  title: "While victims leave",
  group: "Preemption at work",
  about: "The node and the headroom are kept for the ask alone, until it lands.",
  minutes: 2,
  journal,
  grace: 3600,
  steps: [
    {
      title: "The node is kept",
      text: `\`p\` preempted \`t-2\` and \`t-3\`. In this lesson victims do not leave by themselves: the journal ends them later. Until then \`n1\` is **kept** for \`p\`.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "p", victims: ["t-2", "t-3"] }, { kind: "held", node: "n1", ask: "p" }, { kind: "explains", ask: "p", reason: "waits-for-victims" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "No other ask is placed there",
      text: `\`t-3\` has ended, and a core is free on \`n1\`. \`urgent\` asks for one core with priority 1000, and waits: the node is kept for \`p\`, whatever the priority of other asks.`,
      goto: { seconds: 40 },
      expect: [{ kind: "pending", ask: "urgent" }, { kind: "pending", ask: "p" }, { kind: "explains", ask: "urgent", reason: "no-node-fits" }],
      select: { kind: "ask", id: "urgent" },
    },
    {
      title: "A new node changes nothing",
      text: `A second node was added. \`urgent\` runs there. \`pinned\` needs \`n1\` and waits. \`p\` does not move to the new node: its victims leave \`n1\` for it.`,
      goto: { seconds: 50 },
      expect: [{ kind: "allocated", ask: "urgent", node: "n2" }, { kind: "pending", ask: "pinned" }, { kind: "pending", ask: "p" }],
      select: { kind: "ask", id: "pinned" },
    },
    {
      title: "It lands",
      text: `The second victim is gone, and \`p\` is allocated. The node is open to other asks again, and in the same instant \`pinned\` is tried: it requires \`n1\`, with priority 1000, and preempts \`t-1\`.`,
      goto: { seconds: 60 },
      expect: [{ kind: "allocated", ask: "p", node: "n1" }, { kind: "victims", for: "pinned", victims: ["t-1"] }, { kind: "held", node: "n1", ask: "pinned" }],
      select: { kind: "ask", id: "p" },
      try: "Go back to 40s and drain n1: the claim ends, and p searches again. The victims still leave.",
    },
  ],
});
