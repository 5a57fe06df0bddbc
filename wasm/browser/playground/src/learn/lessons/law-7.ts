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
  title: "Law 7: no ask takes victims outside its fence",
  group: "The laws of preemption",
  about: "Asks behind a preemption fence find their victims inside it, or not at all.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Forbidden: outside",
      text: `\`root.org\` has \`preemption.policy: fence\`. \`a\` is entitled to its guaranteed 2 cores, and no guarantee protects \`outside\`, in \`root.test\`. But it is on the other side of the fence.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "a", victims: [] }, { kind: "pending", ask: "a" }, { kind: "verdict", ask: "a", verdict: "no-victims" }],
      select: { kind: "ask", id: "a" },
    },
    {
      title: "Allowed: inside",
      text: `Another node was added, with an allocation of \`root.org.b\`. That is inside the same fence, so it is preempted.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "a", victims: ["beside"] }],
      select: { kind: "ask", id: "beside" },
    },
    {
      title: "Forbidden again",
      text: `\`a\` asked for its second core. There is no victim left inside the fence.`,
      goto: { seconds: 299 },
      expect: [{ kind: "pending", ask: "a-2" }, { kind: "victims", for: "a-2", victims: [] }],
      select: { kind: "ask", id: "a-2" },
    },
    {
      title: "Without the fence",
      text: `A reload removed the fence. The delay was over already, so \`outside\` is told to leave in the same instant.`,
      goto: { seconds: 300 },
      expect: [{ kind: "victims", for: "a-2", victims: ["outside"] }],
      select: { kind: "ask", id: "outside" },
    },
  ],
});
