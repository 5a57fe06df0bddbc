import { lesson } from "../course";
import { app, ask, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 4 } }, "root.test": {} }), node("n1", 3), app("job", "root.test"),
    runs("executor", "job", "n1", 1), runs("notebook", "job", "n1", 1, { preemptable: false }), runs("driver", "job", "n1", 1, { originator: true })],
  ["1s", app("p", "root.prod"), ask("polite", "p", 1, { preempt_others: false })],
  ["1m", { type: "ask.remove", id: "polite" }, ask("p1", "p", 1)],
  ["2m", ask("p2", "p", 1)],
  ["3m", ask("p3", "p", 1)],
);

export const yieldLast = lesson({
  name: "yield-last",
  title: "Which allocations are preempted last",
  group: "Preemption at work",
  about: "Options for not preempting and for not being preempted, and the driver that other tasks depend on.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "An ask that preempts nothing",
      text: `\`polite\` was submitted with \`preempt_others: false\`. It is entitled and there is a victim, but it preempts nothing: it waits for room.`,
      goto: { seconds: 59 },
      expect: [{ kind: "victims", for: "polite", victims: [] }, { kind: "verdict", ask: "polite", verdict: "preempts-nobody" }],
      select: { kind: "ask", id: "polite" },
    },
    {
      title: "The executor first",
      text: `\`p1\` is an ask without that option. There are three possible victims; the one that neither drives others nor asked not to be preempted leaves, though it is the oldest.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "p1", victims: ["executor"] }],
      select: { kind: "ask", id: "executor" },
    },
    {
      title: "Then the allocation that opted out",
      text: `For \`p2\` two are left. \`notebook\` has \`preemptable: false\`; the **originator** is the driver of its application, and without it the other tasks are worth nothing. The notebook is preempted first.`,
      goto: { seconds: 150 },
      expect: [{ kind: "victims", for: "p2", victims: ["notebook"] }],
      select: { kind: "ask", id: "notebook" },
    },
    {
      title: "The driver last",
      text: `Nothing else is enough for \`p3\`. The driver is preempted: only as the last resort, but it is possible.`,
      goto: { seconds: 210 },
      expect: [{ kind: "victims", for: "p3", victims: ["driver"] }],
      select: { kind: "ask", id: "driver" },
    },
  ],
});
