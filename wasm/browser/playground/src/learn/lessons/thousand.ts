import type { Lesson } from "../course";
import { thousandJournal } from "./thousand-workload";

const name = "thousand";
const title = "A thousand nodes";
let journal: string | undefined;

export const thousand: Lesson = {
  name,
  title,
  group: "At full size",
  about: "1,000 nodes, more than 20,000 asks of six teams, accelerators, priorities and guarantees, in half an hour.",
  minutes: 4,
  /** Generated on first use: it is as long as all other lessons together. */
  get scenario() {
    journal ??= thousandJournal();
    return { title, lesson: name, journal, grace: 20, begin: 0, speed: 20 };
  },
  steps: [
    {
      title: "A thousand nodes",
      text: `858 nodes of 32 cores, and 142 with 64 cores and 8 accelerators each: 36,544 cores, 1,136 \`gpu\`. Six teams will submit some 20,000 asks within half an hour.

- \`root.services\` has the offset 100 and a guarantee of 9,000 cores.
- \`root.research\` shares 800 accelerators between \`vision\` and \`language\`.
- \`root.analytics\` has a max, and its applications take turns.
- \`root.batch\` is fenced at −10: it comes last, whatever the priorities of its asks.

Choose **Next** to see the turning points, or play: a second is 20 seconds of the cluster, and the speed can be changed in the bar at the bottom.`,
      goto: { seconds: 1 },
      expect: [{ kind: "decisions", type: "node.accepted", count: 1000 }, { kind: "used", queue: "root", type: "vcore", amount: 30 }],
    },
    {
      title: "Five minutes: every team is served",
      text: `Some 3,000 allocations run, and no ask waits for long. \`batch\` uses resources that no other queue needs: 13,600 cores already.`,
      goto: { seconds: 300 },
      expect: [
        { kind: "used", queue: "root.batch", type: "vcore", amount: 13600 },
        { kind: "used", queue: "root.research.vision", type: "gpu", amount: 319 },
        { kind: "priority", queue: "root.batch" },
      ],
      select: { kind: "queue", id: "root.batch" },
    },
    {
      title: "Ten minutes: batch has to wait",
      text: `Asks of \`batch\` accumulate, and it shows the priority −10. All other queues are still served before it.

\`vision\` waits too, although 650 accelerators are free: \`w3-47-7\` needs all 8 of a node. Pick it, and see why each node fails: 133 have too few accelerators left, 9 too few cores, since \`batch\` uses them.`,
      goto: { seconds: 600 },
      expect: [
        { kind: "priority", queue: "root.batch", value: -10 },
        { kind: "used", queue: "root.research.vision", type: "gpu", amount: 486 },
        { kind: "explains", ask: "w3-47-7", reason: "no-node-fits" },
        { kind: "verdict", ask: "w3-47-7", verdict: "not-entitled" },
      ],
      select: { kind: "ask", id: "w3-47-7" },
    },
    {
      title: "A quarter of an hour: a queue claims its guarantee",
      text: `Five minutes ago \`language\` asked for its 400 accelerators. It got the free ones; for the rest, allocations were preempted: a few tasks of \`vision\`, which was above its own guarantee, and some of \`batch\`, for their cores.

\`language\` uses 390 and \`vision\` 413 now. Choose \`gpu\` above the nodes to see where.`,
      goto: { seconds: 900 },
      expect: [
        { kind: "used", queue: "root.research.language", type: "gpu", amount: 390 },
        { kind: "used", queue: "root.research.vision", type: "gpu", amount: 413 },
      ],
      select: { kind: "queue", id: "root.research.language" },
    },
    {
      title: "20 minutes: the cluster is full",
      text: `36,494 of 36,544 cores are in use. \`api\` was started six minutes ago, and \`services\` uses more than its 9,000 cores: it got the excess by its place in the order, not by preemption.`,
      goto: { seconds: 1200 },
      expect: [
        { kind: "used", queue: "root", type: "vcore", amount: 36494 },
        { kind: "used", queue: "root.services", type: "vcore", amount: 10256 },
        { kind: "used", queue: "root.research.language", type: "gpu", amount: 435 },
        { kind: "used", queue: "root.research.vision", type: "gpu", amount: 435 },
      ],
      select: { kind: "queue", id: "root.services" },
    },
    {
      title: "The end of the peak",
      text: `No asks arrive after 28 minutes. \`services\` has 12,236 cores; \`batch\`, with a thousand asks waiting, uses less as its tasks end.

Continue from here as you like. At the end of the hour every ask has run.`,
      goto: { seconds: 1700 },
      expect: [
        { kind: "used", queue: "root.services", type: "vcore", amount: 12236 },
        { kind: "used", queue: "root.batch", type: "vcore", amount: 16264 },
      ],
      try: "Drain a hundred nodes, or load another order of nodes, and compare the waits over time.",
    },
  ],
};
