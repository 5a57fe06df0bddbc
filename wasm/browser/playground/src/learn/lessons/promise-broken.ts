import { lesson } from "../course";
import { job, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.firm": {}, "root.lenient": { "walltime.overrun": "allow" } }, ["backfill: {depth: all}"]), node("n1", 2), node("n2", 2),
    job("slow", "root.firm", 2, { walltime: "10m", run: "30m" }), job("guest", "root.lenient", 2, { walltime: "20m", run: "24m" })],
  ["1m", job("next", "root.firm", 2, { walltime: "20m", run: "20m" })],
  ["2m", job("last", "root.firm", 2, { walltime: "10m", run: "10m" })],
);

export const promiseBroken = lesson({
  name: "promise-broken",
  title: "A promise is broken",
  group: "Over time",
  about: "What happens when an allocation stays after its promised end, and what becomes of those that waited for it.",
  minutes: 4,
  journal,
  grace: 60,
  steps: [
    {
      title: "Two promises",
      text: `\`slow\` promised to end at 10m, \`guest\` at 20m. \`next\` is planned for 10m on \`n1\`, \`last\` for 20m on \`n2\`.

**Predict:** \`slow\` will still be there at 10m. What happens?`,
      goto: { seconds: 120 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "slow", node: "n1" }, { kind: "allocated", ask: "guest", node: "n2" }, { kind: "decisions", type: "plan", count: 2 }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "Told to end",
      text: `At 10m it is told to leave, with the decision \`walltime.exceeded\`. Here it takes a minute to do so: the **grace**. Its bar has a red mark where its promise was.

\`next\` cannot start yet. Its planned start moves later, with the reason \`overrun\`: nothing but an early end could be promised to those who wait.`,
      goto: { seconds: 630 },
      overTime: true,
      expect: [{ kind: "decisions", type: "walltime.exceeded", count: 1 }, { kind: "allocated", ask: "slow", node: "n1" }, { kind: "pending", ask: "next" }],
      select: { kind: "ask", id: "slow" },
    },
    {
      title: "Room a minute later",
      text: `\`slow\` has left, and \`next\` starts. No other ask was hurt: \`last\` is still planned for 20m.`,
      goto: { seconds: 660 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "next", node: "n1" }, { kind: "pending", ask: "last" }],
      select: { kind: "ask", id: "next" },
    },
    {
      title: "One that may stay",
      text: `\`guest\` has passed its promise as well, but its queue has \`walltime.overrun: allow\`, so it is told nothing. It counts as ending one minute after its promise, then two, four, eight: at each of these times the plans that rest on it are made once more.`,
      goto: { seconds: 1260 },
      overTime: true,
      expect: [{ kind: "decisions", type: "walltime.exceeded", count: 1 }, { kind: "allocated", ask: "guest", node: "n2" }, { kind: "pending", ask: "last" }],
      select: { kind: "ask", id: "guest" },
    },
    {
      title: "It ends by itself",
      text: `At 24m \`guest\` is done, and \`last\` starts on \`n2\`.`,
      goto: { seconds: 1440 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "last", node: "n2" }],
      select: { kind: "ask", id: "last" },
    },
  ],
});
