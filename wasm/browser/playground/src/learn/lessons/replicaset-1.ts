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
  about: "A preempted task is created again at once, as by a ReplicaSet, and cannot preempt in return.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "A full cluster",
      text: `5 cores, all in use. \`root.prod\` runs 1 task and is guaranteed 1.5 cores; \`root.test\` runs 4 and is guaranteed 2. \`prod\` asks for two more tasks.`,
      goto: { seconds: 1 },
      expect: [{ kind: "pending", ask: "p2" }, { kind: "pending", ask: "p3" }, { kind: "used", queue: "root", type: "vcore", amount: 5 }],
    },
    {
      title: "One task is preempted",
      text: `\`prod\` is below its guarantee by half a core, so \`p2\` may preempt. \`test\` is above its own by two. One task is preempted.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "p2", victims: ["t-4"] }, { kind: "victims", for: "p3", victims: [] }],
      select: { kind: "ask", id: "t-4" },
    },
    {
      title: "Its replacement waits",
      text: `The controller created another task as soon as the first was gone. \`p2\` is allocated: the node was kept for it, so no other ask could be placed there.

\`test\` is still above its guarantee and may not preempt. \`prod\` is above its own now, and may not either.`,
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
      text: `There was one exchange, and nothing has moved since. Both queues use more than their guarantee, and their pending asks wait for room.`,
      goto: { seconds: 86400 },
      expect: [
        { kind: "decisions", type: "preemption", count: 1 },
        { kind: "used", queue: "root.prod", type: "vcore", amount: 2 },
        { kind: "used", queue: "root.test", type: "vcore", amount: 3 },
      ],
    },
  ],
});
