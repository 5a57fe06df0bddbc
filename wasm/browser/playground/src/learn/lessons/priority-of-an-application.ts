import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.plain": {}, "root.patient": { "application.sort.priority": "disabled" } }),
    app("job", "root.plain"), ask("ten", "job", 1, { priority: 10 }), ask("twenty", "job", 1, { priority: 20 })],
  ["10s", { type: "ask.update", id: "ten", priority: 25 }],
  ["20s", { type: "ask.update", id: "ten", priority: 10 }, node("n1", 2)],
  ["1m",
    app("older", "root.patient"), app("younger", "root.patient"),
    ask("y9", "younger", 1, { priority: 9 }), ask("o1", "older", 1, { priority: 1 }), ask("o2", "older", 1, { priority: 2 })],
  ["1m10s", node("n2", 3)],
);

export const priorityOfAnApplication = lesson({
  name: "priority-of-an-application",
  title: "As urgent as its most urgent ask",
  group: "Scheduling order",
  about: "An application has the highest priority of its pending asks, so its priority changes as they are placed.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "The higher of 10 and 20",
      text: `\`job\` has two asks, of priority 10 and 20, and there is no node. While both wait the application shows 20, and so does its queue.`,
      goto: { seconds: 0 },
      expect: [{ kind: "priority", queue: "root.plain", value: 20 }, { kind: "pending", ask: "ten" }, { kind: "pending", ask: "twenty" }],
      select: { kind: "app", id: "job" },
    },
    {
      title: "An update counts at once",
      text: `The priority of a pending ask may change; the ask keeps its place in the order of submission. \`ten\` was raised to 25, and its queue shows 25 at once.`,
      goto: { seconds: 10 },
      expect: [{ kind: "priority", queue: "root.plain", value: 25 }],
      select: { kind: "ask", id: "ten" },
    },
    {
      title: "20 is placed, 10 is left",
      text: `\`ten\` is back at 10, and a node was added. \`twenty\` was placed first, and the ask that is left has priority 10.

Only **pending** asks count. Allocations give their queue no priority.`,
      goto: { decision: 6 },
      expect: [{ kind: "allocated", ask: "twenty" }, { kind: "pending", ask: "ten" }, { kind: "priority", queue: "root.plain", value: 10 }],
      select: { kind: "app", id: "job" },
    },
    {
      title: "No pending asks, no priority",
      text: `Without pending asks an application has no priority at all, and neither has its queue. It is left out of the order, whatever its offset.`,
      goto: { seconds: 20 },
      expect: [{ kind: "order", asks: ["twenty", "ten"] }, { kind: "priority", queue: "root.plain" }],
    },
    {
      title: "Where priority is switched off",
      text: `\`root.patient\` has \`application.sort.priority: disabled\`. Its applications are ordered by submission alone: \`older\` first, though \`younger\` asks with 9.

Inside an application, asks are still ordered by priority, so \`o2\` comes before \`o1\`.`,
      goto: { seconds: 70 },
      expect: [{ kind: "order", asks: ["o2", "o1", "y9"] }],
      select: { kind: "queue", id: "root.patient" },
      try: "Reload without the property, go back to the beginning, and see y9 come first.",
    },
  ],
});
