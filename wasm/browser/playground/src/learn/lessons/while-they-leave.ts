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
      text: `\`p\` took \`t-2\` and \`t-3\`. In this lesson nobody makes them leave quickly: whoever runs them has to end them. Until then \`n1\` is **kept** for \`p\`.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "p", victims: ["t-2", "t-3"] }, { kind: "held", node: "n1", ask: "p" }, { kind: "explains", ask: "p", reason: "waits-for-victims" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Nobody slips in",
      text: `\`t-3\` has ended, and a core is free on \`n1\`. \`urgent\` asks for one core with priority 1000, and waits: the node is for nobody else, whatever their priority.`,
      goto: { seconds: 40 },
      expect: [{ kind: "pending", ask: "urgent" }, { kind: "pending", ask: "p" }, { kind: "explains", ask: "urgent", reason: "no-node-fits" }],
      select: { kind: "ask", id: "urgent" },
    },
    {
      title: "It is that node",
      text: `A second node came. \`urgent\` runs there. \`pinned\` needs \`n1\` and waits. \`p\` does not move to the new node: its victims leave \`n1\` for it.`,
      goto: { seconds: 50 },
      expect: [{ kind: "allocated", ask: "urgent", node: "n2" }, { kind: "pending", ask: "pinned" }, { kind: "pending", ask: "p" }],
      select: { kind: "ask", id: "pinned" },
    },
    {
      title: "It lands",
      text: `The second victim is gone, and \`p\` has its place. The node is open to others again, and in the same instant \`pinned\` has its turn: it requires \`n1\`, with priority 1000, and takes \`t-1\`.`,
      goto: { seconds: 60 },
      expect: [{ kind: "allocated", ask: "p", node: "n1" }, { kind: "victims", for: "pinned", victims: ["t-1"] }, { kind: "held", node: "n1", ask: "pinned" }],
      select: { kind: "ask", id: "p" },
      try: "Go back to 40s and drain n1: the claim lapses, and p searches again. The victims still leave.",
    },
  ],
});
