import { lesson } from "../course";
import { app, job, node, queues, release, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.system": { max: { vcore: 4 } }, "root.prod": { guaranteed: { vcore: 2 } } }),
    node("n1", 2), node("n2", 4), app("prod", "root.prod"), runs("p1", "prod", "n1", 1), runs("p2", "prod", "n1", 1)],
  ["10s", job("daemon", "root.system", 1, { node: "n1" })],
  ["1m", job("second", "root.system", 1, { node: "n1", priority: -1 })],
  ["1m10s", job("zoned", "root.prod", 1, { constraints: { zone: ["a"] } })],
  ["1m20s", { type: "node.update", id: "n2", attributes: { zone: "a" } }, release("daemon")],
);

export const requiredNode = lesson({
  name: "required-node",
  title: "This node or none",
  group: "Limits and waiting",
  about: "An ask with a required node, as of a DaemonSet, preempts there at once; constraints only wait.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "A full node",
      text: `\`root.prod\` uses just what it is guaranteed, 2 cores, and both are on \`n1\`. \`n2\` is empty.`,
      goto: { seconds: 0 },
      expect: [{ kind: "allocated", ask: "p1", node: "n1" }, { kind: "allocated", ask: "p2", node: "n1" }, { kind: "used", queue: "root.prod", type: "vcore", amount: 2 }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "Only that node",
      text: `\`daemon\` requires \`n1\`, and may run on no other node. It waits for no delay; guarantees, fences and queues do not apply to it. Of the allocations on its node whose priority is not higher, it preempts the least harmful: the younger one.`,
      goto: { seconds: 10 },
      expect: [{ kind: "victims", for: "daemon", victims: ["p2"] }, { kind: "pending", ask: "daemon" }, { kind: "explains", ask: "daemon", reason: "waits-for-victims" }],
      select: { kind: "ask", id: "p2" },
    },
    {
      title: "Five seconds later",
      text: `The victim has left and \`daemon\` runs. \`root.prod\` is below its guarantee now; only a required node can cause that.`,
      goto: { seconds: 15 },
      expect: [{ kind: "allocated", ask: "daemon", node: "n1" }, { kind: "used", queue: "root.prod", type: "vcore", amount: 1 }],
      select: { kind: "ask", id: "daemon" },
    },
    {
      title: "No higher priority",
      text: `\`second\` has the priority −1. \`p1\` has 0, and \`daemon\` cannot be preempted, since it requires this node too. So \`second\` waits.`,
      goto: { seconds: 60 },
      expect: [{ kind: "pending", ask: "second" }, { kind: "victims", for: "second", victims: [] }, { kind: "verdict", ask: "second", verdict: "no-victims" }],
      select: { kind: "ask", id: "second" },
    },
    {
      title: "A constraint does not preempt",
      text: `\`zoned\` asks for a node whose attribute \`zone\` is \`a\`. No node has it. A constraint says where an ask may run; it preempts nothing.`,
      goto: { seconds: 70 },
      expect: [{ kind: "explains", ask: "zoned", reason: "no-node-fits" }, { kind: "verdict", ask: "zoned", verdict: "no-node" }],
      select: { kind: "ask", id: "zoned" },
    },
    {
      title: "Attributes may change",
      text: `\`n2\` was given \`zone: a\`, and \`zoned\` is placed there. \`daemon\` ended in the same instant, so \`second\` is placed on its node as well.`,
      goto: { seconds: 80 },
      expect: [{ kind: "allocated", ask: "zoned", node: "n2" }, { kind: "allocated", ask: "second", node: "n1" }],
      try: "Add a node with zone: b and an application that asks for zone a or b.",
    },
  ],
});
