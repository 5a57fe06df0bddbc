import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const tree = (option: string) => queues({ "root.dev": { guaranteed: { vcore: 4 }, "preemption.intra-queue": option } });

const journal = script(
  ["0s", tree("disabled"), node("n1", 1), app("low", "root.dev"), runs("low", "low", "n1", 1, { priority: 5 })],
  ["1s", job("equal", "root.dev", 1, { priority: 5 }), job("high", "root.dev", 1, { priority: 6 })],
  ["2m", tree("enabled")],
  ["3m", job("higher", "root.dev", 1, { priority: 7 })],
);

export const intraQueue = lesson({
  name: "intra-queue",
  title: "Within one queue",
  group: "Preemption at work",
  about: "Guarantees never preempt within a queue. An option lets strictly higher priorities do so.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Off by default",
      text: `\`root.dev\` is guaranteed 4 cores, and there is one. An ask of priority 5 runs; asks of 5 and 6 wait. The guarantee of a queue belongs to all its applications alike, so it gives none of them a right to preempt another.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "high", victims: [] }, { kind: "verdict", ask: "high", verdict: "no-victims" }],
      select: { kind: "ask", id: "high" },
    },
    {
      title: "On: a strictly higher priority preempts",
      text: `\`preemption.intra-queue: enabled\` was loaded. The ask of priority 6 preempts the one of priority 5.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "high", victims: ["low"] }],
      select: { kind: "ask", id: "low" },
    },
    {
      title: "An equal priority does not preempt",
      text: `\`equal\` has priority 5 and still waits. Within a queue, only strictly lower priorities can be preempted; otherwise two asks of the same priority would preempt each other forever.`,
      goto: { seconds: 179 },
      expect: [{ kind: "allocated", ask: "high" }, { kind: "pending", ask: "equal" }, { kind: "victims", for: "equal", victims: [] }],
      select: { kind: "ask", id: "equal" },
    },
    {
      title: "Every preemption raises the priority",
      text: `Priority 7 preempts priority 6. Each such exchange raises the priority of what runs, so the exchanges come to an end.`,
      goto: { seconds: 215 },
      expect: [{ kind: "victims", for: "higher", victims: ["high"] }, { kind: "allocated", ask: "higher" }],
      select: { kind: "ask", id: "higher" },
    },
  ],
});
