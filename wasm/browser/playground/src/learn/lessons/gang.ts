import { lesson } from "../course";
import { app, application, ask, job, node, queues, script } from "../script";

const journal = script(
  ["0s", queues({ "root.training": {}, "root.other": {} }), node("n1", 8), node("n2", 8), app("web", "root.other"), ask("web", "web", 6)],
  ["10s",
    application("train", { queue: "root.training", placeholder_ask: { vcore: 10 }, placeholder_timeout: "5m" }),
    ask("hold-driver", "train", 2, { placeholder: true, task_group: "driver" }),
    ask("hold-worker", "train", 2, { placeholder: true, task_group: "worker", count: 4 })],
  ["11s", ask("driver", "train", 2, { task_group: "driver" })],
  ["12s", job("late", "root.other", 2)],
  ["40s", ask("worker", "train", 2, { task_group: "worker", count: 3 })],
  ["6m", { type: "tick" }],
);

export const gang = lesson({
  name: "gang",
  title: "A gang with placeholders",
  group: "Gangs",
  about: "Placeholders hold the resources of a training before its tasks arrive, and make way for them.",
  minutes: 4,
  journal,
  grace: 10,
  steps: [
    {
      title: "Room for a driver and four workers",
      text: `\`train\` is of no use in part, so it allocates its resources first: five **placeholders** of 2 cores, for its driver and its workers. Each names its \`task_group\`. A placeholder is placed like any ask and runs nothing.

\`placeholder_ask\` is their sum, 10 cores. All five are allocated, so the gang is **formed**: the application goes from Accepted to Starting, without a single task.

**Predict:** the driver arrives. On which node will it run, and when?`,
      goto: { seconds: 10 },
      expect: [
        { kind: "allocated", ask: "hold-driver", node: "n2" },
        { kind: "allocated", ask: "hold-worker-4" },
        { kind: "state", app: "train", state: "Starting" },
        { kind: "used", queue: "root.training", type: "vcore", amount: 10 },
      ],
      select: { kind: "app", id: "train" },
    },
    {
      title: "The placeholder is told to leave",
      text: `The driver replaces a placeholder of its group. \`hold-driver\` was told to leave, which takes ten seconds here; until then the driver waits.`,
      goto: { seconds: 11 },
      expect: [{ kind: "replaced", placeholder: "hold-driver", by: "driver" }, { kind: "pending", ask: "driver" }, { kind: "explains", ask: "driver", reason: "waits-for-release" }],
      select: { kind: "ask", id: "driver" },
    },
    {
      title: "Its resources are kept for the driver",
      text: `\`hold-driver\` has left, and the driver runs in its place. \`late\`, of another queue, arrived in between and asks for 2 cores as well. It got none: only its task may use the resources that a placeholder leaves.

**Predict:** three workers arrive at 40 seconds; the fourth never does. What happens to its placeholder?`,
      goto: { seconds: 21 },
      expect: [{ kind: "allocated", ask: "driver", node: "n2" }, { kind: "pending", ask: "late" }, { kind: "used", queue: "root.training", type: "vcore", amount: 10 }],
      select: { kind: "ask", id: "driver" },
    },
    {
      title: "Three workers of four",
      text: `Each worker replaced the oldest placeholder of its group, on that placeholder's node. With its second task the application is Running. \`hold-worker-4\` still keeps 2 cores for the fourth worker.

**Predict:** for how long?`,
      goto: { seconds: 50 },
      expect: [
        { kind: "replaced", placeholder: "hold-worker-1", by: "worker-1" },
        { kind: "allocated", ask: "worker-1" },
        { kind: "allocated", ask: "worker-2" },
        { kind: "allocated", ask: "worker-3" },
        { kind: "allocated", ask: "hold-worker-4" },
        { kind: "state", app: "train", state: "Running" },
      ],
      select: { kind: "app", id: "train" },
    },
    {
      title: "The last placeholder times out",
      text: `\`placeholder_timeout\` is five minutes, counted from the allocation of the first placeholder, at 10 seconds. At 5m10s \`hold-worker-4\` was told to leave, and ten seconds later it has left. The gang was formed, so its tasks are not affected.

Its 2 cores are free again: \`late\` runs.`,
      goto: { seconds: 320 },
      expect: [
        { kind: "decisions", type: "placeholder.timeout", count: 1 },
        { kind: "state", app: "train", state: "Running" },
        { kind: "used", queue: "root.training", type: "vcore", amount: 8 },
        { kind: "allocated", ask: "late", node: "n2" },
      ],
      select: { kind: "ask", id: "late" },
      try: "Go back to 40s and add a node of 2 cores: late runs there, and hold-worker-4 still keeps its resources until 5m10s.",
    },
  ],
});
