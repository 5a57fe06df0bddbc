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
  title: "Law 4: only a queue below its guarantee may preempt",
  group: "The laws of preemption",
  about: "At its guarantee a queue preempts nothing; a thousandth of a core below it, it may preempt for the whole ask.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: at the guarantee",
      text: `\`root.prod\` is guaranteed 1 core and uses 1. It may not preempt beyond its guarantee, whatever the priority. The panel says \`not-entitled\`.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "p", victims: [] }, { kind: "verdict", ask: "p", verdict: "not-entitled" }],
      select: { kind: "ask", id: "p" },
    },
    {
      title: "Allowed: a thousandth below",
      text: `A reload raised the guarantee to 1.001 cores. The queue is **below** its guarantee now, and nothing else is required. The ask itself does not count: it needs 3 cores and raises the usage of its queue to 4.

It has waited long enough already, so it preempts at once.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "p", victims: ["t"] }],
      select: { kind: "ask", id: "t" },
    },
    {
      title: "Forbidden again",
      text: `\`prod\` uses 4 cores and is guaranteed 1.001, so its next ask waits like any other. So does \`more\`, in a queue without a guarantee.`,
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
