import { lesson } from "../course";
import { app, ask, job, node, queues, script } from "../script";

const journal = script(
  ["0s", queues({ "root.default": {} }), app("older", "root.default"), app("younger", "root.default")],
  ["1s", ask("y1", "younger", 1)],
  ["2s", ask("o1", "older", 1), ask("o2", "older", 1)],
  ["3s", node("n1", 3)],
  ["10s", job("big", "root.default", 4), job("small", "root.default", 1)],
  ["20s", node("n2", 2)],
);

export const fifo = lesson({
  name: "fifo",
  title: "First in, first out",
  group: "Scheduling order",
  about: "The default order of applications, and why an ask that does not fit does not delay others.",
  minutes: 1,
  journal,
  steps: [
    {
      title: "The age of the application counts",
      text: `\`older\` was submitted before \`younger\`. \`younger\` asked first, for one core; then \`older\` asked for two. Three asks wait for a node.`,
      goto: { seconds: 2 },
      expect: [{ kind: "pending", ask: "y1" }, { kind: "pending", ask: "o1" }, { kind: "pending", ask: "o2" }],
    },
    {
      title: "Older first",
      text: `A node was added, and both asks of \`older\` were served before that of \`younger\`: \`fifo\` goes by the submission of the application, not of the ask.`,
      goto: { seconds: 3 },
      expect: [{ kind: "order", asks: ["o1", "o2", "y1"] }],
      select: { kind: "app", id: "older" },
    },
    {
      title: "An ask that does not fit is skipped",
      text: `\`big\` asks for 4 cores and arrived before \`small\`, which asks for one. A node of 2 cores was added. \`big\` does not fit, so the scheduler tries the next ask: \`small\` runs.

The order determines which ask is **tried** first. It never makes one ask wait for another.`,
      goto: { seconds: 20 },
      expect: [{ kind: "pending", ask: "big" }, { kind: "allocated", ask: "small", node: "n2" }, { kind: "explains", ask: "big", reason: "no-node-fits" }],
      select: { kind: "ask", id: "big" },
      try: "Add a node of 4 cores: big is placed on it at once.",
    },
  ],
});
