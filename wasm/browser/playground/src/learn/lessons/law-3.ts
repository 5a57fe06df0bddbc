import { lesson } from "../course";
import { app, ask, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.test": { "preemption.intra-queue": "enabled" } }), node("n1", 2), app("other", "root.test"), app("mine", "root.test"),
    runs("other", "other", "n1", 1), runs("mine", "mine", "n1", 1)],
  ["1s", ask("more", "mine", 1, { priority: 9 })],
  ["1m", ask("most", "mine", 1, { priority: 20 })],
);

export const law3 = lesson({
  name: "law-3",
  title: "Law 3: no application preempts itself",
  group: "The laws of preemption",
  about: "Even in a leaf where priority preempts, an application never preempts its own tasks.",
  minutes: 1,
  journal,
  grace: 5,
  steps: [
    {
      title: "Allowed: from another application",
      text: `In \`root.test\` higher priorities may preempt lower ones: \`preemption.intra-queue: enabled\`. \`mine\` asks for \`more\` with priority 9. The younger of the two allocations is its own, so the other one is preempted.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "more", victims: ["other"] }],
      select: { kind: "ask", id: "other" },
    },
    {
      title: "Forbidden: from itself",
      text: `Now \`mine\` has the whole node, and asks once more, with priority 20. All possible victims are its own. It can never preempt; the panel counts two allocations of the same application.`,
      goto: { seconds: 600 },
      expect: [{ kind: "pending", ask: "most" }, { kind: "victims", for: "most", victims: [] }, { kind: "verdict", ask: "most", verdict: "no-victims" }],
      select: { kind: "ask", id: "most" },
    },
  ],
});
