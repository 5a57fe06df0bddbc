import { lesson } from "../course";
import { app, ask, node, queues, release, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.a": { "application.sort.policy": "fair" } }),
    node("n1", 4), app("x", "root.a"), app("y", "root.a"),
    ask("x", "x", 1, { count: 4 }), ask("y", "y", 1, { count: 4 })],
  ["10s", release("x-1"), release("x-2")],
  ["20s", ask("urgent", "y", 1, { priority: 1 }), release("y-1")],
);

export const fairApplications = lesson({
  name: "fair-applications",
  title: "Fair between applications",
  group: "Scheduling order",
  about: "With the fair policy the application that uses least is served next.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "They take turns",
      text: `\`root.a\` has \`application.sort.policy: fair\`. \`x\` and \`y\` ask for four cores each, and there are four in all.

At first neither uses anything, so the older application begins. Then \`y\` uses less, then they are equal again. Each ends with two cores.`,
      goto: { seconds: 0 },
      expect: [
        { kind: "order", asks: ["x-1", "y-1", "x-2", "y-2"] },
        { kind: "pending", ask: "x-3" },
        { kind: "pending", ask: "y-3" },
      ],
    },
    {
      title: "Past usage does not count",
      text: `Both allocations of \`x\` ended at the same moment. \`x\` uses nothing now, and \`y\` uses 2 cores: both free cores go to \`x\` again.`,
      goto: { seconds: 10 },
      expect: [{ kind: "allocated", ask: "x-3" }, { kind: "allocated", ask: "x-4" }, { kind: "pending", ask: "y-3" }],
      select: { kind: "app", id: "x" },
    },
    {
      title: "Priority comes before usage",
      text: `\`y\` asked once more, with priority 1. Priority is the first key of every order; usage only decides between equal priorities. So \`urgent\` gets the core that \`y-1\` left, before \`y-3\`.`,
      goto: { seconds: 20 },
      expect: [{ kind: "allocated", ask: "urgent" }, { kind: "pending", ask: "y-3" }],
      select: { kind: "ask", id: "urgent" },
      try: "Set application.sort.priority: disabled on root.a, and see how the next ask with a priority is served.",
    },
  ],
});
