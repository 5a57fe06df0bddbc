import { lesson } from "../course";
import { app, ask, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: "1500m" } }, "root.test": { guaranteed: { vcore: 2 } } }), node("n1", 5),
    app("prod", "root.prod"), app("test", "root.test"), runs("p1", "prod", "n1", 1), runs("t", "test", "n1", 1, { count: 4 })],
  ["1s", ask("p2", "prod", 1), ask("p3", "prod", 1)],
  ["36s", ask("t-4-again", "test", 1)],
  ["24h", { type: "tick" }],
);

export const replicaset1 = lesson({
  name: "replicaset-1",
  title: "Two ReplicaSets: one exchange",
  group: "Preemption at work",
  about: "A victim comes back at once, as a ReplicaSet has it, and cannot take its place back.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "A full cluster",
      text: `5 cores, all in use. \`root.prod\` runs 1 task and is guaranteed 1.5 cores; \`root.test\` runs 4 and is guaranteed 2. \`prod\` asks for two tasks more.`,
      goto: { seconds: 1 },
      expect: [{ kind: "pending", ask: "p2" }, { kind: "pending", ask: "p3" }, { kind: "used", queue: "root", type: "vcore", amount: 5 }],
    },
    {
      title: "One is taken",
      text: `\`prod\` is under its guaranteed by half a core, so \`p2\` may take. \`test\` is over its own by two. One task goes.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "p2", victims: ["t-4"] }, { kind: "victims", for: "p3", victims: [] }],
      select: { kind: "ask", id: "t-4" },
    },
    {
      title: "It comes back, and waits",
      text: `The controller made another task in its place the moment it was gone. \`p2\` has landed: the node was kept for it, so nobody could slip in.

\`test\` is still over its guaranteed and may not take. \`prod\` is over its own now, and may not either.`,
      goto: { seconds: 36 },
      expect: [
        { kind: "allocated", ask: "p2" },
        { kind: "pending", ask: "t-4-again" },
        { kind: "verdict", ask: "t-4-again", verdict: "not-entitled" },
        { kind: "verdict", ask: "p3", verdict: "not-entitled" },
      ],
      select: { kind: "ask", id: "t-4-again" },
    },
    {
      title: "A day later",
      text: `One exchange, and then peace. Both queues have more than they were promised, and who waits, waits for room.`,
      goto: { seconds: 86400 },
      expect: [
        { kind: "decisions", type: "preemption", count: 1 },
        { kind: "used", queue: "root.prod", type: "vcore", amount: 2 },
        { kind: "used", queue: "root.test", type: "vcore", amount: 3 },
      ],
    },
  ],
});
