import { lesson } from "../course";
import { app, ask, job, node, queues, runs, script } from "../script";

const tree = (delay?: string) => queues({ "root.prod": { guaranteed: { vcore: 3 }, ...(delay && { "preemption.delay": delay }) }, "root.test": {} });

const journal = script(
  ["0s", tree(), node("n1", 1), node("n2", 1), app("t", "root.test"), runs("t", "t", "n1", 1), runs("u", "t", "n2", 1), ...job("p1", "root.prod", 1)],
  ["12s", ask("p2", "p1", 1)],
  ["1m", node("n3", 1), runs("v", "t", "n3", 1), ask("p3", "p1", 1)],
  ["1m20s", tree("8s")],
);

export const delay = lesson({
  name: "delay",
  title: "The delay",
  group: "Preemption at work",
  about: "An ask waits before it preempts. Each ask has its own delay.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "29.999 seconds",
      text: `\`p1\` is entitled, and there are victims. But an ask must first have waited for its queue's \`preemption.delay\`, which is 30 seconds by default. Other allocations may end meanwhile.

The panel shows how long it still has to wait.`,
      goto: { seconds: 29.999 },
      expect: [{ kind: "victims", for: "p1", victims: [] }, { kind: "verdict", ask: "p1", verdict: "preempts" }],
      select: { kind: "ask", id: "p1" },
    },
    {
      title: "30 seconds",
      text: `One thousandth of a second later the delay is over. Victims leave at once in this lesson, so the ask is allocated in the same instant.`,
      goto: { seconds: 30 },
      expect: [{ kind: "victims", for: "p1", victims: ["u"] }, { kind: "allocated", ask: "p1" }],
      select: { kind: "ask", id: "p1" },
    },
    {
      title: "Each ask has its own delay",
      text: `\`p2\` arrived 12 seconds later, so its delay ends 12 seconds later, at 42 seconds.`,
      goto: { seconds: 42 },
      expect: [{ kind: "victims", for: "p2", victims: ["t"] }, { kind: "allocated", ask: "p2" }],
      select: { kind: "ask", id: "p2" },
    },
    {
      title: "A shorter delay applies at once",
      text: `\`p3\` arrived at one minute; its delay would have ended at 1m30s. A reload at 1m20s set the delay to 8 seconds, and it had waited 20 already.`,
      goto: { seconds: 80 },
      expect: [{ kind: "victims", for: "p3", victims: ["v"] }, { kind: "allocated", ask: "p3" }],
      select: { kind: "ask", id: "p3" },
    },
  ],
});
