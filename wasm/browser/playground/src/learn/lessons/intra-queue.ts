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
  about: "Guarantees move nothing within a queue. An option lets strictly higher priorities do so.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "Off, unless said",
      text: `\`root.dev\` is guaranteed 4 cores, and there is one. Priority 5 runs, 5 and 6 wait. A promise to the queue is a promise to all in it, so it moves nobody from one to the other.`,
      goto: { seconds: 119 },
      expect: [{ kind: "victims", for: "high", victims: [] }, { kind: "verdict", ask: "high", verdict: "no-victims" }],
      select: { kind: "ask", id: "high" },
    },
    {
      title: "On: strictly higher takes",
      text: `\`preemption.intra-queue: enabled\` was loaded. 6 takes from 5.`,
      goto: { seconds: 120 },
      expect: [{ kind: "victims", for: "high", victims: ["low"] }],
      select: { kind: "ask", id: "low" },
    },
    {
      title: "Equal does not",
      text: `\`equal\` has 5 and waits on. Within a queue it takes a strictly lower priority; otherwise two of the same rank would throw each other out forever.`,
      goto: { seconds: 179 },
      expect: [{ kind: "allocated", ask: "high" }, { kind: "pending", ask: "equal" }, { kind: "victims", for: "equal", victims: [] }],
      select: { kind: "ask", id: "equal" },
    },
    {
      title: "Every step goes up",
      text: `7 takes from 6. Each such exchange raises what runs, so they come to an end.`,
      goto: { seconds: 215 },
      expect: [{ kind: "victims", for: "higher", victims: ["high"] }, { kind: "allocated", ask: "higher" }],
      select: { kind: "ask", id: "higher" },
    },
  ],
});
