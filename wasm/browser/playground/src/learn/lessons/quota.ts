import { lesson } from "../course";
import { app, ask, job, node, queues, release, script } from "../script";

const tree = (max: number) => queues({
  "root.apps": { max: { vcore: max }, "quota.preemption.delay": "1m" },
  "root.apps.web": { guaranteed: { vcore: 4 } },
  "root.apps.batch": {},
  "root.apps.spare": {},
}, ["preemption: {enabled: true, quotapreemptionenabled: true}"]);

const journal = script(
  ["0s", tree(20), node("n1", 24), app("web", "root.apps.web"), app("batch", "root.apps.batch"), app("spare", "root.apps.spare")],
  ["1s", ask("web", "web", 2, { count: 4, priority: 5 })],
  ["2s", ask("batch", "batch", 2, { count: 4 })],
  ["3s", ask("spare", "spare", 2, { count: 2 })],
  ["1m", tree(10)],
  ["1m30s", job("late", "root.apps.spare", 2, { priority: 100 })],
  ["3m", release("batch-1")],
);

export const quota = lesson({
  name: "quota",
  title: "A quota that shrinks",
  group: "Preemption at work",
  about: "A new max is half of what a queue uses: which allocations leave, and when.",
  minutes: 4,
  journal,
  grace: 10,
  steps: [
    {
      title: "All 20 cores in use",
      text: `\`root.apps\` has a max of 20 cores and uses them all: \`web\` 8 at priority 5, \`batch\` 8 and \`spare\` 4 at priority 0. \`web\` is guaranteed 4.

\`quotapreemptionenabled\` is on, and \`quota.preemption.delay\` is one minute. **Predict:** at one minute a new configuration halves the max. What happens in that instant?`,
      goto: { seconds: 3 },
      expect: [
        { kind: "used", queue: "root.apps", type: "vcore", amount: 20 },
        { kind: "used", queue: "root.apps.web", type: "vcore", amount: 8 },
        { kind: "headroom", queue: "root.apps", type: "vcore", amount: 0 },
      ],
      select: { kind: "queue", id: "root.apps" },
    },
    {
      title: "Nothing yet",
      text: `A reload preempts nothing by itself. The queue uses 10 cores more than its max, and has a minute to come down on its own: allocations may end, or the max may be raised again.`,
      goto: { seconds: 60 },
      expect: [{ kind: "over-max", queue: "root.apps", victims: [] }, { kind: "used", queue: "root.apps", type: "vcore", amount: 20 }],
      select: { kind: "queue", id: "root.apps" },
    },
    {
      title: "No new allocations",
      text: `\`late\` asks for 2 cores in \`spare\`. The node has 4 free, but no queue below \`root.apps\` gets anything until usage is below the max. Its priority of 100 changes nothing.

**Predict:** the minute is over at 2m0s. 10 cores have to be released, five allocations of 2. \`web\` can release 4 cores, since 4 are guaranteed; \`batch\` can release 8, \`spare\` 4. How many allocations does each lose?`,
      goto: { seconds: 90 },
      expect: [{ kind: "pending", ask: "late" }, { kind: "explains", ask: "late", reason: "headroom" }, { kind: "over-max", queue: "root.apps", victims: [] }],
      select: { kind: "ask", id: "late" },
    },
    {
      title: "The round",
      text: `The excess is divided in proportion to what each queue can release: 2.5, 5 and 2.5 cores. The leaf that has released the smallest part of its share releases next, until no core is in excess. So \`batch\` loses three allocations, \`web\` and \`spare\` one each.

Within a leaf the lowest priority leaves first, then the youngest: \`batch-4\` before \`batch-3\`.`,
      goto: { seconds: 120 },
      expect: [{ kind: "over-max", queue: "root.apps", victims: ["batch-4", "batch-3", "batch-2", "web-4", "spare-2"] }, { kind: "used", queue: "root.apps", type: "vcore", amount: 20 }],
      select: { kind: "queue", id: "root.apps" },
    },
    {
      title: "At the max",
      text: `Ten seconds later the five have left, and \`root.apps\` uses 10 cores. \`web\` keeps 6, above its guarantee: preemption by quota never takes what is guaranteed.

\`late\` still waits. The preemption enforced the max, not the ask, and at the max there is no headroom.

**Predict:** \`batch-1\` ends at three minutes.`,
      goto: { seconds: 130 },
      expect: [
        { kind: "used", queue: "root.apps", type: "vcore", amount: 10 },
        { kind: "used", queue: "root.apps.web", type: "vcore", amount: 6 },
        { kind: "used", queue: "root.apps.batch", type: "vcore", amount: 2 },
        { kind: "used", queue: "root.apps.spare", type: "vcore", amount: 2 },
        { kind: "pending", ask: "late" },
      ],
      select: { kind: "queue", id: "root.apps" },
    },
    {
      title: "Below the max",
      text: `2 cores are below the max again, and \`late\` is placed.`,
      goto: { seconds: 180 },
      expect: [{ kind: "allocated", ask: "late" }, { kind: "used", queue: "root.apps", type: "vcore", amount: 10 }, { kind: "decisions", type: "preemption", count: 5 }],
      select: { kind: "ask", id: "late" },
      try: "Go back to 1m30s, set the max to 14 in Configure and reload. The minute is still counted from 1m, and at 2m0s three allocations are preempted in place of five.",
    },
  ],
});
