import { lesson } from "../course";
import { app, application, ask, node, queues, script } from "../script";

const journal = script(
  ["0s", queues({ "root.training": {}, "root.other": {} }), node("n1", 8), app("web", "root.other"), ask("web", "web", 4)],
  ["10s",
    application("sweep", { queue: "root.training", placeholder_ask: { vcore: 6 }, placeholder_timeout: "1m" }),
    ask("hold-sweep", "sweep", 2, { placeholder: true, task_group: "worker", count: 3 })],
  ["11s", ask("sweep", "sweep", 2, { task_group: "worker", count: 3, run: "2m" })],
  ["6m",
    application("exact", { queue: "root.training", placeholder_ask: { vcore: 6 }, placeholder_timeout: "1m", gang_style: "Hard" }),
    ask("hold-exact", "exact", 2, { placeholder: true, task_group: "worker", count: 3 })],
  ["6m1s", ask("exact", "exact", 2, { task_group: "worker", count: 3 })],
  ["8m", { type: "tick" }],
);

export const gangTimeout = lesson({
  name: "gang-timeout",
  title: "A gang that is not completed",
  group: "Gangs",
  about: "What happens when some placeholders find no room in time: Soft and Hard.",
  minutes: 3,
  journal,
  grace: 10,
  steps: [
    {
      title: "Two of three",
      text: `\`sweep\` asks for three placeholders of 2 cores. 4 cores are free, so two of them are allocated, and the gang is not formed. Its tasks have arrived and wait. Two of them would fit in the place of the placeholders, but a gang starts together.

The placeholders keep their resources meanwhile. **Predict:** what happens to them if no other allocation ends? \`placeholder_timeout\` is one minute.`,
      goto: { seconds: 11 },
      expect: [
        { kind: "allocated", ask: "hold-sweep-2" },
        { kind: "pending", ask: "hold-sweep-3" },
        { kind: "explains", ask: "sweep-1", reason: "waits-for-gang" },
        { kind: "state", app: "sweep", state: "Accepted" },
      ],
      select: { kind: "ask", id: "sweep-1" },
    },
    {
      title: "The timeout, Soft",
      text: `One minute after the first placeholder was allocated, all three end: \`hold-sweep-3\`, which is not allocated, at once, and the others are told to leave. \`gang_style\` is \`Soft\` by default, so the application is **Resuming**. It gets no allocations until the last placeholder has left.`,
      goto: { seconds: 70 },
      expect: [
        { kind: "decisions", type: "placeholder.timeout", count: 3 },
        { kind: "state", app: "sweep", state: "Resuming" },
        { kind: "pending", ask: "sweep-1" },
        { kind: "explains", ask: "sweep-1", reason: "waits-for-gang" },
      ],
      select: { kind: "app", id: "sweep" },
    },
    {
      title: "Its tasks become ordinary asks",
      text: `The placeholders have left. The tasks of \`sweep\` are ordinary asks from now on: two run, and the third waits for room. Soft is for work that can also run with fewer tasks.

**Predict:** at six minutes \`exact\` asks for the same, with \`gang_style: Hard\`. What happens to its tasks?`,
      goto: { seconds: 80 },
      expect: [
        { kind: "allocated", ask: "sweep-1" },
        { kind: "allocated", ask: "sweep-2" },
        { kind: "pending", ask: "sweep-3" },
        { kind: "explains", ask: "sweep-3", reason: "no-node-fits" },
        { kind: "state", app: "sweep", state: "Running" },
      ],
      select: { kind: "ask", id: "sweep-3" },
    },
    {
      title: "The timeout, Hard",
      text: `The tasks of \`sweep\` have ended. A minute after it began, \`exact\` also has two placeholders of three. It is **Failing**: its placeholders were told to leave, and its tasks are removed.`,
      goto: { seconds: 420 },
      expect: [{ kind: "state", app: "exact", state: "Failing" }, { kind: "decisions", type: "placeholder.timeout", count: 6 }],
      select: { kind: "app", id: "exact" },
    },
    {
      title: "Failed",
      text: `When its last allocation has left, the application is **Failed**. Its resources are free, and its ID may be used again. Hard is for work that is of no use in part: its owner sees the failure and can try again later.`,
      goto: { seconds: 430 },
      expect: [{ kind: "state", app: "exact", state: "Failed" }, { kind: "used", queue: "root.training", type: "vcore", amount: 0 }],
      select: { kind: "queue", id: "root.training" },
      try: "Go back to 6m and add a node of 4 cores: the gang of exact is formed, and its three tasks run.",
    },
  ],
});
