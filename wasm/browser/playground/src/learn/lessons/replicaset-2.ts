import { lesson } from "../course";
import { app, ask, node, queues, release, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 2 } }, "root.test": { guaranteed: { vcore: "3500m" } } }), node("n1", 5),
    app("prod", "root.prod"), app("test", "root.test"), runs("p1", "prod", "n1", 1), runs("t", "test", "n1", 1, { count: 4 })],
  ["1s", ask("p2", "prod", 1), ask("p3", "prod", 1)],
  ["24h", release("t-1")],
);

export const replicaset2 = lesson({
  name: "replicaset-2",
  title: "Two ReplicaSets: no exchange",
  group: "Preemption at work",
  about: "A queue that is above its guarantee by half a core cannot lose a whole core.",
  minutes: 1,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden by half a core",
      text: `As before, but \`root.test\` is guaranteed 3.5 of the 4 cores that it uses. It is above its guarantee; but with one task less it would be below. So no task is preempted, and a day later \`p2\` and \`p3\` still wait.`,
      goto: { seconds: 86399 },
      expect: [
        { kind: "decisions", type: "preemption", count: 0 },
        { kind: "verdict", ask: "p2", verdict: "no-victims" },
        { kind: "pending", ask: "p2" },
        { kind: "pending", ask: "p3" },
      ],
      select: { kind: "ask", id: "p2" },
    },
    {
      title: "Until a task ends",
      text: `A task of \`test\` ended by itself. \`prod\` is furthest below its guarantee and gets the core.`,
      goto: { seconds: 86400 },
      expect: [{ kind: "allocated", ask: "p2" }, { kind: "pending", ask: "p3" }],
      select: { kind: "ask", id: "p2" },
    },
  ],
});
