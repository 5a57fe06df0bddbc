import type { Expectation, Step } from "../course";
import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const high = "root.system.system-high";
const normal = "root.system.system-normal";
const low = "root.system.system-low";
const a = "root.tenants.tenant-a";
const b = "root.tenants.tenant-b";

const journal = script(["0s",
  queues({
    [normal]: { "priority.offset": 0 },
    [high]: { "priority.offset": 1000 },
    [low]: { "priority.offset": -1000 },
    "root.tenants": { "priority.policy": "fence" },
    [a]: { "priority.policy": "fence", "priority.offset": 10 },
    [`${a}.child-a-1`]: {},
    [`${a}.child-a-2`]: {},
    [b]: { "priority.policy": "fence", "priority.offset": 0 },
    [`${b}.child-b-1`]: {},
    [`${b}.child-b-2`]: {},
  }),
  app("b2", `${b}.child-b-2`), ask("b2-P8", "b2", 1, { priority: 8 }),
  app("b1", `${b}.child-b-1`), ask("b1-P7", "b1", 1, { priority: 7 }), ask("b1-P9", "b1", 1, { priority: 9 }),
  app("a2", `${a}.child-a-2`), ask("a2-P4", "a2", 1, { priority: 4 }), ask("a2-P6", "a2", 1, { priority: 6 }),
  app("a1", `${a}.child-a-1`), ask("a1-P5", "a1", 1, { priority: 5 }), ask("a1-P8", "a1", 1, { priority: 8 }),
  app("low", low), ask("low-P3", "low", 1, { priority: 3 }),
  app("normal", normal), ask("normal-P2", "normal", 1, { priority: 2 }), ask("normal-P10", "normal", 1, { priority: 10 }),
  app("high", high), ask("high-P1", "high", 1, { priority: 1 }),
], ["1s", node("n1", 11)]);

/** One step of the table: its decision, the ask that was allocated, why, and the priorities that the queues show afterwards. */
type Row = readonly [decision: number, ask: string, why: string, shows: readonly (readonly [queue: string, priority: number | undefined])[]];

const rows: readonly Row[] = [
  [17, "high-P1", "`system-high` shows 1 + 1000 = 1001, so `root.system` does too, and no queue shows more. Afterwards `system-high` is empty and shows no priority: `root.system` falls to 10.",
    [[high, undefined], ["root.system", 10]]],
  [19, "normal-P10", "`root.system` shows 10, `root.tenants` 0: because of its fence it shows its offset, whatever is inside.", [[normal, 2], ["root.system", 2]]],
  [21, "normal-P2", "2 is still above 0. Then only `system-low` is left in the branch, at 3 − 1000.", [[normal, undefined], ["root.system", -997]]],
  [23, "a1-P8", "Now the tenants come first. Between them offsets decide: `tenant-a` shows 10, `tenant-b` 0. Inside `tenant-a` the priorities of the asks decide, 8 against 6.", [[`${a}.child-a-1`, 5], [a, 10]]],
  [25, "a2-P6", "6 in `child-a-2` against 5 in `child-a-1`. `tenant-a` still shows 10 while an ask waits in it.", [[`${a}.child-a-2`, 4], [a, 10]]],
  [27, "a1-P5", "5 against 4.", [[`${a}.child-a-1`, undefined], [a, 10]]],
  [29, "a2-P4", "The last ask of `tenant-a`.", [[`${a}.child-a-2`, undefined], [a, undefined], ["root.tenants", 0]]],
  [31, "b1-P9", "Now `tenant-b` is served. Its 9 could not overtake the 8, 6, 5 and 4 of `tenant-a`, since both tenants are fenced.", [[`${b}.child-b-1`, 7], [b, 0]]],
  [33, "b2-P8", "8 against 7.", [[`${b}.child-b-2`, undefined], [b, 0]]],
  [35, "b1-P7", "The last ask of the tenants.", [[b, undefined], ["root.tenants", undefined]]],
  [37, "low-P3", "−997 is lower than all others. It is still served once no other ask waits.", [[low, undefined], ["root.system", undefined]]],
];

const steps = rows.map(([decision, id, why, shows], i): Step => ({
  title: `Step ${i + 1}: ${id}`,
  text: why,
  goto: { decision },
  expect: [
    { kind: "allocated", ask: id },
    { kind: "order", asks: rows.slice(0, i + 1).map((row) => row[1]) },
    ...shows.map(([queue, value]): Expectation => ({ kind: "priority", queue, value })),
  ],
  select: { kind: "ask", id },
}));

export const priorityTable = lesson({
  name: "priority-table",
  title: "Eleven asks, step by step",
  group: "Scheduling order",
  about: "A system branch with offsets, two fenced tenants, and the order in which eleven asks are served.",
  minutes: 5,
  journal,
  steps: [
    {
      title: "Before the first",
      text: `Eleven asks of one core wait, and there is no node yet. Every queue shows the highest priority that waits in it, plus its offset; a **fenced** queue shows its offset alone.

Look at the priorities in the tree, which **Details of every queue** above it shows: \`root.system\` shows 1001 because of a single ask of priority 1. \`root.tenants\` shows 0, although an ask of priority 9 waits in it.

In the next instant a node of 11 cores is added. Each step below is one allocation.`,
      goto: { seconds: 0 },
      expect: [
        { kind: "priority", queue: "root.system", value: 1001 },
        { kind: "priority", queue: normal, value: 10 },
        { kind: "priority", queue: high, value: 1001 },
        { kind: "priority", queue: low, value: -997 },
        { kind: "priority", queue: "root.tenants", value: 0 },
        { kind: "priority", queue: a, value: 10 },
        { kind: "priority", queue: `${a}.child-a-1`, value: 8 },
        { kind: "priority", queue: `${a}.child-a-2`, value: 6 },
        { kind: "priority", queue: b, value: 0 },
        { kind: "priority", queue: `${b}.child-b-1`, value: 9 },
        { kind: "priority", queue: `${b}.child-b-2`, value: 8 },
      ],
    },
    ...steps,
  ],
});
