import { lesson } from "../course";
import { app, ask, job, node, queues, runs, script } from "../script";

const tree = (policy: string) => queues({
  "root.org": { guaranteed: { vcore: 2 }, "preemption.policy": policy },
  "root.org.a": { guaranteed: { vcore: 2 } },
  "root.org.b": {},
  "root.test": {},
});

const journal = script(
  ["0s", tree("fence"), node("n1", 1), app("outside", "root.test"), runs("outside", "outside", "n1", 1)],
  ["1s", job("a", "root.org.a", 1)],
  ["2m", node("n2", 1), app("beside", "root.org.b"), runs("beside", "beside", "n2", 1)],
  ["3m", ask("a-2", "a", 1)],
  ["5m", tree("default")],
);

export const law7 = lesson({
  name: "law-7",
  title: "Law 7: nobody looks out over a fence",
  group: "The laws of preemption",
  about: "Asks behind a preemption fence find their victims inside it, or not at all.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: outside",
      text: `\`root.org\` has \`preemption.policy: fence\`. \`a\` is entitled to its guaranteed 2 cores, and \`outside\`, in \`root.test\`, is protected by nothing. But it is on the other side of the fence.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "a", victims: [] }, { kind: "pending", ask: "a" }, { kind: "verdict", ask: "a", verdict: "no-victims" }],
      select: { kind: "ask", id: "a" },
    },
    {
      title: "Allowed: inside",
      text: `Another node came, with something of \`root.org.b\` on it. That is inside the same fence: it goes.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "a", victims: ["beside"] }],
      select: { kind: "ask", id: "beside" },
    },
    {
      title: "Again it waits",
      text: `\`a\` asked for its second core. Inside there is nobody left to take.`,
      goto: { seconds: 299 },
      expect: [{ kind: "pending", ask: "a-2" }, { kind: "victims", for: "a-2", victims: [] }],
      select: { kind: "ask", id: "a-2" },
    },
    {
      title: "Without the fence",
      text: `A reload took the fence away. The delay has run all the while, so \`outside\` is told to leave in the same instant.`,
      goto: { seconds: 300 },
      expect: [{ kind: "victims", for: "a-2", victims: ["outside"] }],
      select: { kind: "ask", id: "outside" },
    },
  ],
});
