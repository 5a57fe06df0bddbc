import { lesson } from "../course";
import { app, ask, job, node, queues, script } from "../script";

const before = { "root.old": { max: { vcore: 3 } }, "root.new": {} };
const after = { "root.new": {} };

const journal = script(
  ["0s", queues(before), node("n1", 8), node("n2", 8), app("works", "root.old"), ask("w", "works", 1, { count: 2, run: "10m" })],
  ["1m", queues(after)],
  ["2m", app("late", "root.old"), ask("w-more", "works", 1, { run: "8m" })],
  ["3m", ask("w-most", "works", 1, { run: "7m" })],
  ["5m", { type: "node.drain", id: "n1" }, job("fresh", "root.new", 2)],
  ["6m", { type: "node.resume", id: "n1" }, queues({ "root.new": {}, "root.new.child": {} })],
);

export const draining = lesson({
  name: "draining",
  title: "Removing a queue that is in use",
  group: "Limits and waiting",
  about: "A queue that a reload removes drains while it is in use. Nodes can drain too.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "A queue in use",
      text: `\`works\` runs in \`root.old\`, which may use 3 cores.`,
      goto: { seconds: 0 },
      expect: [{ kind: "queue", queue: "root.old", state: "active" }, { kind: "allocated", ask: "w-1" }, { kind: "allocated", ask: "w-2" }],
      select: { kind: "queue", id: "root.old" },
    },
    {
      title: "Removed from the configuration",
      text: `A configuration without \`root.old\` was loaded. The queue still has an application, so it **drains**: its allocations keep running, under the last settings of the queue.`,
      goto: { seconds: 60 },
      expect: [{ kind: "queue", queue: "root.old", state: "draining" }, { kind: "used", queue: "root.old", type: "vcore", amount: 2 }],
      select: { kind: "queue", id: "root.old" },
    },
    {
      title: "No new applications; existing ones continue",
      text: `An application that was submitted to \`root.old\` is rejected, with the code \`queue-draining\`. \`works\` asked for one more core, and has it.`,
      goto: { seconds: 120 },
      expect: [{ kind: "decisions", type: "app.rejected", count: 1 }, { kind: "allocated", ask: "w-more" }],
      select: { kind: "app", id: "works" },
    },
    {
      title: "Its limits still apply",
      text: `A fourth core would exceed the queue's max of 3. The ask waits, as it would have before the reload.`,
      goto: { seconds: 180 },
      expect: [{ kind: "pending", ask: "w-most" }, { kind: "explains", ask: "w-most", reason: "headroom" }],
      select: { kind: "ask", id: "w-most" },
    },
    {
      title: "A node can drain too",
      text: `\`n1\` was drained: its allocations stay, and it gets no new ones. \`fresh\` is placed on \`n2\`.`,
      goto: { seconds: 300 },
      expect: [{ kind: "allocated", ask: "fresh", node: "n2" }, { kind: "allocated", ask: "w-1", node: "n1" }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "A reload that is rejected",
      text: `\`n1\` accepts asks again. Then a configuration arrived that makes a parent of \`root.new\`, a leaf with an application. It is rejected **as a whole**, and the previous configuration stays in force.`,
      goto: { seconds: 360 },
      expect: [{ kind: "decisions", type: "config.rejected", count: 1 }, { kind: "queue", queue: "root.new", state: "active" }],
    },
    {
      title: "Removed with its last application",
      text: `All allocations ended, \`works\` was Completed 30 seconds later, and the queue was removed with it. The decision says \`stopped\`, with the reason \`empty\`.`,
      goto: "end",
      expect: [{ kind: "queue", queue: "root.old", state: "gone" }, { kind: "state", app: "works", state: "Completed" }],
      try: "Go back to 3m and load a configuration with root.old: the queue is active again.",
    },
  ],
});
