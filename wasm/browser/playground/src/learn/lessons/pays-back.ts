import { lesson } from "../course";
import { application, ask, node, queues, script } from "../script";

const batch = (id: string, user: string) => [application(id, { queue: "root.lab", user }), ask(id, id, 1, { count: 16, walltime: "12h", run: "12h" })];

const journal = script(
  ["0s", queues({ "root.lab": { "application.sort.policy": "fair-users", "fairness.half-life": "24h" } }), node("n1", 4), batch("sweep", "ann")],
  ["47h", batch("more", "ann")],
  ["47h30m", batch("paper", "bob")],
);

export const paysBack = lesson({
  name: "pays-back",
  title: "A heavy user pays back",
  group: "Over time",
  about: "With a half-life, users share a queue over days, and not only at each moment.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "Two days alone",
      text: `\`root.lab\` sorts its applications by \`fair-users\`, with \`fairness.half-life: 24h\`. \`ann\` has the four cores of \`n1\` for two days: her batch of 16 tasks, 12 hours each.

What she uses is remembered as her **aged usage**. Steady use of four cores for long would make it 4. After one day it is 2, after two days 3: the rest is halved each day.`,
      goto: { seconds: 86_400 },
      overTime: true,
      expect: [{ kind: "used", queue: "root.lab", type: "vcore", amount: 4 }, { kind: "allocated", ask: "sweep-9" }],
      select: { kind: "queue", id: "root.lab" },
    },
    {
      title: "Another user comes",
      text: `After 47 hours \`ann\` submits 16 more tasks, and half an hour later \`bob\` submits as many. Both wait until the first batch is done, at 48h.

**Predict:** four cores will be free at once. Who gets them? By what they use then, two each.`,
      goto: { seconds: 171_000 },
      overTime: true,
      expect: [{ kind: "pending", ask: "more-1" }, { kind: "pending", ask: "paper-1" }],
      select: { kind: "app", id: "paper" },
    },
    {
      title: "All for the one who has used less",
      text: `\`bob\` gets all four, although \`ann\` asked first. Her aged usage is 3, his is 0.`,
      goto: { seconds: 172_800 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "paper-1" }, { kind: "allocated", ask: "paper-4" }, { kind: "pending", ask: "more-1" }],
      select: { kind: "app", id: "paper" },
    },
    {
      title: "Half a day later",
      text: `Hers is down to 2.1, his is up to 1.2: \`bob\` gets the cores once more.`,
      goto: { seconds: 216_000 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "paper-5" }, { kind: "allocated", ask: "paper-8" }, { kind: "pending", ask: "more-1" }],
      select: { kind: "queue", id: "root.lab" },
    },
    {
      title: "Paid back",
      text: `After a day her aged usage is 1.5 and his is 2, so it is her turn. From now on they change places.

A **share over time** says who comes first. It gives no one more than the max of a queue or a limit, and preemption looks at what is used now.`,
      goto: { seconds: 259_200 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "more-1" }, { kind: "allocated", ask: "more-4" }, { kind: "pending", ask: "paper-9" }],
      select: { kind: "app", id: "more" },
      try: "Set fairness.half-life: 0s in Configure at 47h: from then on, each gets two cores.",
    },
  ],
});
