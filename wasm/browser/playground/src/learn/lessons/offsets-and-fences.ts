import { lesson } from "../course";
import { app, ask, job, node, queues, release, script } from "../script";

const journal = script(
  ["0s",
    queues({
      "root.prod": { "priority.offset": 5 },
      "root.sandbox": { "priority.policy": "fence", "priority.offset": -10 },
    }),
    ...[job("shouting", "root.sandbox", 1, { priority: 1000 }), job("low", "root.prod", 1)].flat()],
  ["10s", node("n1", 1)],
  ["20s", { type: "ask.update", id: "shouting", priority: 2000 }],
  ["30s", app("other", "root.sandbox"), ask("louder", "other", 1, { priority: 3000 }), release("low")],
  ["40s", release("louder")],
  ["1m", queues({
    "root.a": { "priority.offset": 100 },
    "root.a.b": { "priority.offset": 10 },
    "root.a.b.c": { "priority.offset": 1 },
    "root.a.b.d": { "priority.offset": -1 },
    "root.sandbox": { "priority.policy": "fence", "priority.offset": -10 },
  }), job("c", "root.a.b.c", 1, { priority: 1000 }), job("d", "root.a.b.d", 1, { priority: 1001 })],
);

export const offsetsAndFences = lesson({
  name: "offsets-and-fences",
  title: "Offsets and fences",
  group: "Scheduling order",
  about: "An offset moves a whole queue. A fence hides the priorities inside, however high they are.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "What the queues show",
      text: `An ask of priority 1000 waits in \`root.sandbox\`, one of priority 0 in \`root.prod\`.

The sandbox is **fenced** and has the offset −10: that is all it shows. \`root.prod\` has the offset 5 and no fence, so it shows 0 + 5.`,
      goto: { seconds: 0 },
      expect: [{ kind: "priority", queue: "root.sandbox", value: -10 }, { kind: "priority", queue: "root.prod", value: 5 }],
      select: { kind: "ask", id: "shouting" },
    },
    {
      title: "Which ask gets the only core",
      text: `A node of one core was added. 5 is above −10, so \`low\` is placed. \`shouting\` waits.`,
      goto: { seconds: 10 },
      expect: [{ kind: "allocated", ask: "low" }, { kind: "pending", ask: "shouting" }],
    },
    {
      title: "A higher priority does not help",
      text: `The priority of \`shouting\` was raised to 2000. Its queue still shows −10.`,
      goto: { seconds: 20 },
      expect: [{ kind: "priority", queue: "root.sandbox", value: -10 }, { kind: "pending", ask: "shouting" }],
      select: { kind: "queue", id: "root.sandbox" },
    },
    {
      title: "Inside the fence, it helps",
      text: `Within the sandbox, priorities still order asks. \`louder\` arrived later with 3000 and gets the core that \`low\` left.`,
      goto: { seconds: 30 },
      expect: [{ kind: "allocated", ask: "louder" }, { kind: "pending", ask: "shouting" }],
    },
    {
      title: "Offsets add up",
      text: `Another tree was loaded. \`c\` asks with 1000 and \`d\` with 1001; each queue on the path to \`root\` adds its own offset:

- \`root.a.b.c\` shows 1000 + 1, \`root.a.b.d\` 1001 − 1;
- \`root.a.b\` takes the higher value and adds 10;
- \`root.a\` adds 100.

An offset changes the order between queues, never the order inside one.`,
      goto: { seconds: 60 },
      expect: [
        { kind: "priority", queue: "root.a.b.c", value: 1001 },
        { kind: "priority", queue: "root.a.b.d", value: 1000 },
        { kind: "priority", queue: "root.a.b", value: 1011 },
        { kind: "priority", queue: "root.a", value: 1111 },
        { kind: "priority", queue: "root", value: 1111 },
      ],
      select: { kind: "ask", id: "c" },
      try: "Give root.a.b the property priority.policy: fence in Configure and reload: it shows 10, and root.a shows 110.",
    },
  ],
});
