import { lesson } from "../course";
import { ask, job, node, queues, release, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.org": { max: { vcore: 4, memory: "4Gi" } }, "root.org.web": { max: { vcore: 2 } }, "root.org.batch": {}, "root.lab": {} }),
    node("n1", { vcore: 10, memory: "10Gi" }), job("w", "root.org.web", { vcore: 1, memory: "1Gi" }), job("b", "root.org.batch", { vcore: 2, memory: "1Gi" })],
  ["10s", ask("w-large", "w", { vcore: 2, memory: "1Gi" })],
  ["20s", ask("b-small", "b", { vcore: 1, memory: "1Gi" }), ask("w-small", "w", 1)],
  ["30s", job("lab", "root.lab", { vcore: 5, memory: "5Gi" })],
  ["40s", release("b")],
  ["50s", job("monster", "root.lab", 12)],
);

export const headroom = lesson({
  name: "headroom",
  title: "Headroom along the path",
  group: "Limits and waiting",
  about: "A queue may use no more than the least that is left on its path to the root.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "The least along the path",
      text: `\`root.org\` has a max of 4 cores, and \`web\` below it a max of 2. \`web\` uses 1, \`batch\` 2.

The **headroom** of a queue is the least of max − used over the queue itself and all queues above, type by type. For \`web\` that is 1 core: 2 − 1 of its own, and 4 − 3 above it. \`batch\` has no max of its own; its headroom is the core that \`org\` has left.`,
      goto: { seconds: 0 },
      expect: [
        { kind: "headroom", queue: "root.org.web", type: "vcore", amount: 1 },
        { kind: "headroom", queue: "root.org.batch", type: "vcore", amount: 1 },
        { kind: "headroom", queue: "root.lab", type: "vcore", amount: 7 },
      ],
      select: { kind: "queue", id: "root.org.web" },
    },
    {
      title: "Two queues lack headroom",
      text: `\`w-large\` asks for 2 cores. \`web\` lacks one of them, and so does \`org\` above it: the panel names both, with the amounts. The node has room for it.`,
      goto: { seconds: 10 },
      expect: [{ kind: "pending", ask: "w-large" }, { kind: "explains", ask: "w-large", reason: "headroom" }],
      select: { kind: "ask", id: "w-large" },
    },
    {
      title: "The last core of the parent",
      text: `\`batch\` and \`web\` both asked for one more core, and \`org\` has one left. \`web\` uses half of its max and \`batch\` half of that of \`org\`, so their shares are equal. The pending amount in \`web\` is larger, so it was first.`,
      goto: { seconds: 20 },
      expect: [
        { kind: "allocated", ask: "w-small" },
        { kind: "pending", ask: "b-small" },
        { kind: "headroom", queue: "root.org.batch", type: "vcore", amount: 0 },
      ],
      select: { kind: "ask", id: "b-small" },
    },
    {
      title: "Other branches are not affected",
      text: `\`root.lab\` has no max, and the max of \`org\` does not apply to it: it gets 5 cores at once.`,
      goto: { seconds: 30 },
      expect: [{ kind: "allocated", ask: "lab" }, { kind: "used", queue: "root.lab", type: "vcore", amount: 5 }],
      select: { kind: "queue", id: "root.lab" },
    },
    {
      title: "Headroom returns",
      text: `An allocation of 2 cores ended in \`batch\`. \`org\` has headroom, so \`b-small\` is placed. \`w-large\` is still too large for \`web\`, which is at its own max.`,
      goto: { seconds: 40 },
      expect: [{ kind: "allocated", ask: "b-small" }, { kind: "pending", ask: "w-large" }, { kind: "headroom", queue: "root.org.web", type: "vcore", amount: 0 }],
      select: { kind: "ask", id: "w-large" },
    },
    {
      title: "The max of the root is the cluster",
      text: `\`monster\` asks for 12 cores in a queue without a max. The max of \`root\` is the capacity of all nodes together, 10 cores: it lacks headroom too, and no node would be large enough even when empty.`,
      goto: { seconds: 50 },
      expect: [
        { kind: "explains", ask: "monster", reason: "headroom" },
        { kind: "explains", ask: "monster", reason: "no-node-fits" },
        { kind: "verdict", ask: "monster", verdict: "no-node" },
      ],
      select: { kind: "ask", id: "monster" },
      try: "Raise the max of root.org.web to 4 cores in Configure and reload: w-large is placed.",
    },
  ],
});
