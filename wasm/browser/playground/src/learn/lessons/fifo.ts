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
  group: "Who is next",
  about: "The default order of applications, and why nobody is held up by one that does not fit.",
  minutes: 1,
  journal,
  steps: [
    {
      title: "The application's age counts",
      text: `\`older\` and \`younger\` were submitted in this order. \`younger\` asked first, for one core; then \`older\` asked for two. Three asks wait for a node.`,
      goto: { seconds: 2 },
      expect: [{ kind: "pending", ask: "y1" }, { kind: "pending", ask: "o1" }, { kind: "pending", ask: "o2" }],
    },
    {
      title: "Older first",
      text: `The node came, and both asks of \`older\` were served before that of \`younger\`: \`fifo\` goes by the submission of the application, not of the ask.`,
      goto: { seconds: 3 },
      expect: [{ kind: "order", asks: ["o1", "o2", "y1"] }],
      select: { kind: "app", id: "older" },
    },
    {
      title: "Passed over, not in the way",
      text: `\`big\` wants 4 cores and came before \`small\`, which wants one. A node of 2 cores came. \`big\` does not fit, so the walk goes on to the next: \`small\` runs.

An order says who is **tried** first. It never makes anybody wait for somebody else.`,
      goto: { seconds: 20 },
      expect: [{ kind: "pending", ask: "big" }, { kind: "allocated", ask: "small", node: "n2" }, { kind: "explains", ask: "big", reason: "no-node-fits" }],
      select: { kind: "ask", id: "big" },
      try: "Add a node of 4 cores: big lands on it at once.",
    },
  ],
});
