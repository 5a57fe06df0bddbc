import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.prod": { guaranteed: { vcore: 4 } }, "root.test": { guaranteed: { vcore: 1 } } }),
    node("n1", 4), app("t", "root.test"), runs("t", "t", "n1", 1, { count: 4 })],
  ["1s", job("four", "root.prod", 4)],
  ["1m", { type: "ask.remove", id: "four" }, job("three", "root.prod", 3)],
);

export const law2 = lesson({
  name: "law-2",
  title: "Law 2: no queue falls below its guarantee",
  group: "The laws of preemption",
  about: "Victims are judged together: they may not leave their queue below its guarantee.",
  minutes: 1,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: all four",
      text: `\`root.test\` uses 4 cores and is guaranteed 1. \`four\` is entitled to preempt, but it needs the whole node: with all four allocations gone \`test\` would use nothing.

Three of them could be preempted, each alone and all together. The fourth may not, so this ask preempts nothing, however long it waits.`,
      goto: { seconds: 59 },
      expect: [{ kind: "victims", for: "four", victims: [] }, { kind: "verdict", ask: "four", verdict: "no-victims" }, { kind: "used", queue: "root.test", type: "vcore", amount: 4 }],
      select: { kind: "ask", id: "four" },
    },
    {
      title: "Allowed: three",
      text: `\`four\` was withdrawn, and \`three\` asks for one core less. 4 − 3 = 1 is just what \`test\` is guaranteed. The youngest three are told to leave.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "three", victims: ["t-2", "t-3", "t-4"] }],
      select: { kind: "ask", id: "three" },
    },
    {
      title: "Both guarantees are met",
      text: `They have left. Both queues use at least what they are guaranteed, and neither can preempt in the other now.`,
      goto: { seconds: 95 },
      expect: [{ kind: "allocated", ask: "three" }, { kind: "used", queue: "root.test", type: "vcore", amount: 1 }],
      try: "Go back to the beginning and set the guaranteed of root.test to 1001m: only two could be preempted, which is not enough, so none is.",
    },
  ],
});
