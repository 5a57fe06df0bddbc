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
  title: "What must hold after an exchange",
  group: "Preemption at work",
  about: "Victims leave and the ask is placed: every max holds, and no parent queue falls below its guarantee.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: 4 − 2 + 1 is below 4",
      text: `\`root.org\` uses 4 cores, which is its max and its guarantee. \`a\`, inside it, asks for 1 core; in \`b\`, beside it, two tasks of 2 cores run. If one of them left for \`a\`, \`org\` would use 3 of its guaranteed 4 cores. So the exchange is not allowed.

\`n2\` is empty, and \`t\` outside could be preempted. Neither helps: \`org\` is at its max.`,
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
      text: `A reload lowered the guarantee of \`org\` to 3 cores. Now the exchange breaks no guarantee, and the younger of the two tasks is preempted. Nodes had room all the time: \`a\` preempts **for headroom alone**.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "a", victims: ["b-2"] }, { kind: "allocated", ask: "t-1" }],
      select: { kind: "ask", id: "b-2" },
    },
    {
      title: "The ask lands on its victim's node",
      text: `\`n2\` is empty and comes first in the order of nodes. But \`n1\` was kept for \`a\`, so \`a\` is placed there.`,
      goto: { seconds: 125 },
      expect: [{ kind: "allocated", ask: "a", node: "n1" }, { kind: "used", queue: "root.org", type: "vcore", amount: 3 }],
      select: { kind: "ask", id: "a" },
    },
    {
      title: "An ask larger than its victim",
      text: `\`a-2\` asks for 2 cores. \`org\` has one left below its max, so \`b-1\` would have to leave: 3 − 2 + 2 is 3, so every law holds. It is preempted after the delay.`,
      goto: { seconds: 210 },
      expect: [{ kind: "victims", for: "a-2", victims: ["b-1"] }],
      select: { kind: "ask", id: "a-2" },
    },
  ],
});
