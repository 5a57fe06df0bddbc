import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const tree = (guaranteed: string) => queues({ "root.prod": { guaranteed: { vcore: guaranteed } }, "root.test": {} });

const journal = script(
  ["0s", tree("1"), node("n1", 4), app("p0", "root.prod"), app("t", "root.test"), runs("p0", "p0", "n1", 1), runs("t", "t", "n1", 3)],
  ["1s", job("p", "root.prod", 3)],
  ["2m", tree("1001m")],
  ["3m", job("next", "root.prod", 1), job("more", "root.test", 1)],
);

export const law4 = lesson({
  name: "law-4",
  title: "Law 4: only who is below its promise may take",
  group: "The laws of preemption",
  about: "At its guaranteed a queue takes nobody; a thousandth below it, the whole ask may go.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: at the guaranteed",
      text: `\`root.prod\` is guaranteed 1 core and uses 1. More than the promise cannot be had by force, whatever the priority. The panel says \`not-entitled\`.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "p", victims: [] }, { kind: "verdict", ask: "p", verdict: "not-entitled" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Allowed: a thousandth below",
      text: `A reload made it 1.001 cores. The queue is **under** its guaranteed now, and that is all that is asked. The ask itself does not count: it needs 3 cores and carries its queue to 4.

It has waited long enough already, so it takes at once.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "p", victims: ["t"] }],
      select: { kind: "ask", id: "t" },
    },
    {
      title: "Forbidden again",
      text: `With 4 cores used of 1.001, the next one of \`prod\` has to wait like everybody else. So has \`more\`, in a queue that was promised nothing.`,
      goto: { seconds: 300 },
      expect: [
        { kind: "allocated", ask: "p" },
        { kind: "verdict", ask: "next", verdict: "not-entitled" },
        { kind: "verdict", ask: "more", verdict: "not-entitled" },
        { kind: "decisions", type: "preemption", count: 1 },
      ],
      select: { kind: "ask", id: "next" },
    },
  ],
});
