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
  title: "Who yields last",
  group: "Preemption at work",
  about: "Opting out of taking, of being taken, and the driver that others depend on.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Takes from nobody",
      text: `\`polite\` was sent with \`preempt_others: false\`. It is entitled and there is a victim, but it does not want one: it waits for room.`,
      goto: { seconds: 59 },
      expect: [{ kind: "victims", for: "polite", victims: [] }, { kind: "verdict", ask: "polite", verdict: "preempts-nobody" }],
      select: { kind: "ask", id: "polite" },
    },
    {
      title: "The executor first",
      text: `\`p1\` is an ask without that wish. Three could go for it; the one that neither drives others nor asked to be spared does, though it is the oldest.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "p1", victims: ["executor"] }],
      select: { kind: "ask", id: "executor" },
    },
    {
      title: "Then who asked to be spared",
      text: `For \`p2\` there are two left. \`notebook\` has \`preemptable: false\`; the **originator** is the driver of its application, and without it the rest is worth nothing. The notebook yields before.`,
      goto: { seconds: 150 },
      expect: [{ kind: "victims", for: "p2", victims: ["notebook"] }],
      select: { kind: "ask", id: "notebook" },
    },
    {
      title: "The driver at last",
      text: `Nothing else suffices for \`p3\`. The driver goes: it is a last resort, and it is possible.`,
      goto: { seconds: 210 },
      expect: [{ kind: "victims", for: "p3", victims: ["driver"] }],
      select: { kind: "ask", id: "driver" },
    },
  ],
});
