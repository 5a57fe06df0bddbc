import { lesson } from "../course";
import { app, ask, job, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({
      "root.prod": { "priority.offset": 10 },
      "root.vision": { guaranteed: { vcore: 2 }, max: { vcore: 4 }, maxapplications: 2, "application.sort.policy": "stateaware" },
      "root.text": {},
    }),
    node("n1", { vcore: 8, memory: "32Gi" }, { attributes: { zone: "a" } }), node("n2", { vcore: 8, memory: "32Gi" }, { attributes: { zone: "b" } }),
    node("n3", { vcore: 8, memory: "32Gi" }, { attributes: { zone: "a" }, schedulable: false }),
    app("train", "root.vision"), ask("train", "train", 1, { count: 2 })],
  ["1s", job("tune", "root.vision", 1)],
  ["2s", app("store", "root.prod"), ask("zoned", "store", 1, { constraints: { zone: ["c"] } }), ask("huge", "store", 12)],
  ["3s", ask("tune-2", "tune", 1)],
  ["4s", ask("more", "train", 2), job("score", "root.vision", 1)],
  ["5s", app("fill", "root.text"), ask("fill", "fill", { vcore: 5, memory: "1Gi" }, { count: 2 }), ask("wide", "fill", { vcore: 2, memory: "31Gi" })],
);

export const whyItWaits = lesson({
  name: "why-it-waits",
  title: "Why it waits",
  group: "Explanations",
  about: "Every reason for which an ask waits, with the amounts, and what would help.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "Another application has to start first",
      text: `\`root.vision\` is \`stateaware\`. \`tune\` is still Starting, after one allocation: until it is Running no other application starts. \`train\` had two allocations at once, so it was Running at once.`,
      goto: { seconds: 1 },
      expect: [{ kind: "state", app: "train", state: "Running" }, { kind: "state", app: "tune", state: "Starting" }, { kind: "allocated", ask: "tune" }],
      select: { kind: "app", id: "tune" },
    },
    {
      title: "No node fits",
      text: `\`zoned\` asks for a node whose \`zone\` is \`c\`, \`huge\` for 12 cores. Their nodes fail for different reasons, and the panel counts them. For \`zoned\` one node is draining and two lack the value; for \`huge\` one is draining and two are too small **even when empty**.

A node counts once, under the first reason that applies. The panel does not say that \`n3\` lacks the value too: a draining node accepts no asks, whatever it has.`,
      goto: { seconds: 2 },
      expect: [
        { kind: "explains", ask: "zoned", reason: "no-node-fits" },
        { kind: "explains", ask: "huge", reason: "no-node-fits" },
        { kind: "verdict", ask: "zoned", verdict: "no-node" },
        { kind: "verdict", ask: "huge", verdict: "no-node" },
      ],
      select: { kind: "ask", id: "zoned" },
    },
    {
      title: "A queue lacks headroom",
      text: `\`more\` asks for 2 cores. Two nodes have room for it; \`root.vision\` uses 4 of at most 4. More nodes would not help, a higher max would.`,
      goto: { seconds: 4 },
      expect: [{ kind: "explains", ask: "more", reason: "headroom" }, { kind: "verdict", ask: "more", verdict: "not-entitled" }],
      select: { kind: "ask", id: "more" },
    },
    {
      title: "Its application may not start",
      text: `\`score\` would be the third application in a queue with \`maxapplications: 2\`. There are two reasons at once, since the queue has no headroom either. Remove one and the other remains.`,
      goto: { seconds: 4 },
      expect: [
        { kind: "explains", ask: "score", reason: "max-applications" },
        { kind: "explains", ask: "score", reason: "headroom" },
        { kind: "verdict", ask: "score", verdict: "may-not-start" },
      ],
      select: { kind: "ask", id: "score" },
    },
    {
      title: "Too little is free",
      text: `\`wide\` would fit an empty node, but both have too little free now: of memory or of cores. An allocation has to end; after two seconds the ask may reserve a node.

An explanation is true at the moment of the question. It does not predict how long the ask will wait, and for a policy module or a check of the host it gives only the name.`,
      goto: { seconds: 5 },
      expect: [{ kind: "pending", ask: "wide" }, { kind: "explains", ask: "wide", reason: "no-node-fits" }],
      select: { kind: "ask", id: "wide" },
      try: "Resume n3 from the node's panel: wide is placed at once.",
    },
  ],
});
