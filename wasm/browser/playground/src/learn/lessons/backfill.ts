import { lesson } from "../course";
import { job, node, queues, script } from "../script";

const journal = script(
  ["0s", queues({ "root.a": {} }, ["backfill: {depth: 1}"]), node("n1", 4), job("run", "root.a", 3, { walltime: "1h", run: "40m" })],
  ["1m", job("wide", "root.a", 4, { walltime: "30m", run: "30m" })],
  ["2m", job("short", "root.a", 1, { walltime: "30m", run: "25m" })],
  ["3m", job("long", "root.a", 1, { walltime: "2h", run: "1h" })],
);

export const backfill = lesson({
  name: "backfill",
  title: "A hole is filled",
  group: "Over time",
  about: "A large ask knows when it starts. Small ones run before it where they are gone by then.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "A promised end",
      text: `\`run\` uses three of four cores. Its ask has a **walltime** of one hour, so its allocation **promises** to end at 1h at the latest. The picture of the nodes shows this as a bar: what has passed is dark, what is promised is light.

The partition has \`backfill: {depth: 1}\`, so the first blocked ask gets a **planned start**. \`wide\` needs all four cores and has come at 1m.

**Predict:** what is the earliest time at which it surely fits?`,
      goto: { seconds: 60 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "run", node: "n1" }, { kind: "pending", ask: "wide" }, { kind: "decisions", type: "plan", count: 1 }],
      select: { kind: "ask", id: "wide" },
    },
    {
      title: "Short enough for the hole",
      text: `At 1h, when \`run\` has left at the latest: the dashed frame. Until then one core would be free for nothing.

\`short\` needs one core, for 30 minutes at most. It is gone by 32m, long before 1h, so it takes no planned ask its start and is placed at once. This is **backfilling**.`,
      goto: { seconds: 120 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "short", node: "n1" }, { kind: "pending", ask: "wide" }],
      select: { kind: "ask", id: "short" },
    },
    {
      title: "Too long for it",
      text: `\`short\` has taken the last free core. \`long\` needs one core as well, for two hours. At 32m, when \`short\` has left, one core is free for 28 minutes only, and then \`wide\` starts.

**Predict:** when does \`long\` start?`,
      goto: { seconds: 1860 },
      overTime: true,
      expect: [{ kind: "pending", ask: "long" }, { kind: "pending", ask: "wide" }],
      select: { kind: "ask", id: "long" },
    },
    {
      title: "Earlier than planned",
      text: `\`run\` ended at 40m, before it had to. \`wide\` fits now and starts, 20 minutes earlier than planned: a planned start is the **latest** one. It never moves later for an early end or for asks behind it.

\`long\` is the first blocked ask now. It starts when \`wide\` has left, at 1h10m at the latest.`,
      goto: { seconds: 2400 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "wide", node: "n1" }, { kind: "pending", ask: "long" }],
      select: { kind: "ask", id: "wide" },
    },
    {
      title: "All have run",
      text: `\`long\` starts at 1h10m. Without backfill it would have been placed at 27m, when \`short\` had left, and \`wide\` would have had to wait for it for up to two hours.`,
      goto: { seconds: 4200 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "long", node: "n1" }],
      select: { kind: "ask", id: "long" },
      try: "Take the key backfill out of the configuration at 30s, and play on: long is placed before wide.",
    },
  ],
});
