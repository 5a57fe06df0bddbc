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
  title: "Taking a queue out of use",
  group: "Limits and waiting",
  about: "A reload without a queue that is in use lets it drain; a node drains too.",
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
      title: "Left out of the configuration",
      text: `A configuration without \`root.old\` was loaded. The queue cannot just vanish: it **drains**. What runs there goes on, under the settings that the queue last had.`,
      goto: { seconds: 60 },
      expect: [{ kind: "queue", queue: "root.old", state: "draining" }, { kind: "used", queue: "root.old", type: "vcore", amount: 2 }],
      select: { kind: "queue", id: "root.old" },
    },
    {
      title: "Nobody new, and who is there is served",
      text: `An application that was submitted to \`root.old\` is rejected, with the code \`queue-draining\`. \`works\` asked for one core more and has it.`,
      goto: { seconds: 120 },
      expect: [{ kind: "decisions", type: "app.rejected", count: 1 }, { kind: "allocated", ask: "w-more" }],
      select: { kind: "app", id: "works" },
    },
    {
      title: "Its limits hold",
      text: `A fourth core would pass the max of 3 that the queue had. The ask waits, as it would have before.`,
      goto: { seconds: 180 },
      expect: [{ kind: "pending", ask: "w-most" }, { kind: "explains", ask: "w-most", reason: "headroom" }],
      select: { kind: "ask", id: "w-most" },
    },
    {
      title: "A node drains as well",
      text: `\`n1\` was drained: what runs on it stays, and nothing new comes. \`fresh\` goes to \`n2\`.`,
      goto: { seconds: 300 },
      expect: [{ kind: "allocated", ask: "fresh", node: "n2" }, { kind: "allocated", ask: "w-1", node: "n1" }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "What a reload may not do",
      text: `\`n1\` takes asks again. Then a configuration came that makes a parent of \`root.new\`, a leaf with an application in it. That is refused **as a whole**, and what was in force stays.`,
      goto: { seconds: 360 },
      expect: [{ kind: "decisions", type: "config.rejected", count: 1 }, { kind: "queue", queue: "root.new", state: "active" }],
    },
    {
      title: "Gone with the last application",
      text: `The work ended, \`works\` was Completed 30 seconds later, and with it the queue is gone. The decision says \`stopped\`, because \`empty\`.`,
      goto: "end",
      expect: [{ kind: "queue", queue: "root.old", state: "gone" }, { kind: "state", app: "works", state: "Completed" }],
      try: "Go back to 3m and load a configuration that names root.old again: it is active as if nothing had happened.",
    },
  ],
});
