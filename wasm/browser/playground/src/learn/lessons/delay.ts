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
  about: "An ask waits before it preempts, and each ask waits for itself.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "29.999 seconds",
      text: `\`p1\` is entitled and there is somebody to take. But an ask has to have waited for its queue's \`preemption.delay\` first, 30 seconds unless said otherwise. Others may finish meanwhile.

The panel shows how long it still has to wait.`,
      goto: { seconds: 29.999 },
      expect: [{ kind: "victims", for: "p1", victims: [] }, { kind: "verdict", ask: "p1", verdict: "preempts" }],
      select: { kind: "ask", id: "p1" },
    },
    {
      title: "30 seconds",
      text: `One thousandth of a second later it is due. Here victims leave at once, so it runs in the same instant.`,
      goto: { seconds: 30 },
      expect: [{ kind: "victims", for: "p1", victims: ["u"] }, { kind: "allocated", ask: "p1" }],
      select: { kind: "ask", id: "p1" },
    },
    {
      title: "Each for itself",
      text: `\`p2\` came 12 seconds later, and is due 12 seconds later: at 42 seconds.`,
      goto: { seconds: 42 },
      expect: [{ kind: "victims", for: "p2", victims: ["t"] }, { kind: "allocated", ask: "p2" }],
      select: { kind: "ask", id: "p2" },
    },
    {
      title: "A shorter delay counts at once",
      text: `\`p3\` asked at one minute and would be due at 1m30s. A reload at 1m20s set the delay to 8 seconds: it has waited 20 already.`,
      goto: { seconds: 80 },
      expect: [{ kind: "victims", for: "p3", victims: ["v"] }, { kind: "allocated", ask: "p3" }],
      select: { kind: "ask", id: "p3" },
    },
  ],
});
