import { lesson } from "../course";
import { app, ask, job, node, queues, runs, script } from "../script";

const org = (guaranteed: number) => queues({
  "root.org": { max: { vcore: 4 }, guaranteed: { vcore: guaranteed } },
  "root.org.a": { guaranteed: { vcore: 2 } },
  "root.org.b": {},
  "root.test": {},
});

const journal = script(
  ["0s", org(4), node("n1", 8), node("n2", 8), app("b", "root.org.b"), app("t", "root.test"),
    runs("b", "b", "n1", 2, { count: 2 }), runs("t", "t", "n1", 2, { count: 2 })],
  ["1s", job("a", "root.org.a", 1)],
  ["2m", org(3)],
  ["3m", ask("a-2", "a", 2)],
);

export const exchange = lesson({
  name: "exchange",
  title: "What must hold afterwards",
  group: "Preemption at work",
  about: "Victims out, ask in: every max holds, and nothing that is guaranteed above them is lost.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: 4 − 2 + 1 is below 4",
      text: `\`root.org\` uses 4 cores, its max and its guaranteed. \`a\`, inside it, wants 1; what runs beside it in \`b\` are two tasks of 2. One of them out and \`a\` in would leave \`org\` at 3 of its guaranteed 4: robbing Peter to pay Paul.

\`n2\` is empty, and \`t\` outside could go. Neither helps: \`org\` is at its max.`,
      goto: { seconds: 119 },
      expect: [
        { kind: "pending", ask: "a" },
        { kind: "explains", ask: "a", reason: "headroom" },
        { kind: "verdict", ask: "a", verdict: "no-victims" },
      ],
      select: { kind: "ask", id: "a" },
    },
    {
      title: "Allowed: 4 − 2 + 1 is not below 3",
      text: `A reload made the promise to \`org\` 3 cores. Now the exchange loses nothing, and the younger of the two goes. There was room on a node all the time: \`a\` preempts **for headroom alone**.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "a", victims: ["b-2"] }, { kind: "allocated", ask: "t-1" }],
      select: { kind: "ask", id: "b-2" },
    },
    {
      title: "It goes where its victim was",
      text: `\`n2\` is empty and would be first in the order of nodes. But \`n1\` was kept, and \`a\` lands there.`,
      goto: { seconds: 125 },
      expect: [{ kind: "allocated", ask: "a", node: "n1" }, { kind: "used", queue: "root.org", type: "vcore", amount: 3 }],
      select: { kind: "ask", id: "a" },
    },
    {
      title: "Larger than what it would free",
      text: `\`a-2\` wants 2 cores. \`org\` has one left below its max, so \`b-1\` would have to go: 3 − 2 + 2 is 3, all lawful. It does, after the delay.`,
      goto: { seconds: 210 },
      expect: [{ kind: "victims", for: "a-2", victims: ["b-1"] }],
      select: { kind: "ask", id: "a-2" },
    },
  ],
});
