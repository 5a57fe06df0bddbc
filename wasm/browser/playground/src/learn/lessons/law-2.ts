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
  title: "Law 2: nobody falls below the promise",
  group: "The laws of preemption",
  about: "Victims are judged together: none may leave its queue below what it is guaranteed.",
  minutes: 1,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: all four",
      text: `\`root.test\` uses 4 cores and is guaranteed 1. \`four\` is entitled to take, but it needs the whole node: with all four gone \`test\` would have nothing.

Three of them could go, each for itself and together. The fourth may not, so this ask takes nobody, however long it waits.`,
      goto: { seconds: 59 },
      expect: [{ kind: "victims", for: "four", victims: [] }, { kind: "verdict", ask: "four", verdict: "no-victims" }, { kind: "used", queue: "root.test", type: "vcore", amount: 4 }],
      select: { kind: "ask", id: "four" },
    },
    {
      title: "Allowed: three",
      text: `\`four\` was withdrawn, and \`three\` asks for one core less. 4 − 3 = 1 is just what \`test\` was promised. The youngest three are told to leave.`,
      goto: { seconds: 90 },
      expect: [{ kind: "victims", for: "three", victims: ["t-2", "t-3", "t-4"] }],
      select: { kind: "ask", id: "three" },
    },
    {
      title: "The promise holds",
      text: `They have left. Both queues have what they may insist on, and neither can take from the other now.`,
      goto: { seconds: 95 },
      expect: [{ kind: "allocated", ask: "three" }, { kind: "used", queue: "root.test", type: "vcore", amount: 1 }],
      try: "Go back to the beginning and set the guaranteed of root.test to 1001m: only two may go, and nobody does.",
    },
  ],
});
