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
  group: "Asking why",
  about: "Every reason for which an ask waits, with the amounts, and what would help.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "Another application has to start first",
      text: `\`root.vision\` is \`stateaware\`. \`tune\` is still Starting, after one allocation: until it has settled nobody else starts. \`train\` had two at once and was through.`,
      goto: { seconds: 1 },
      expect: [{ kind: "state", app: "train", state: "Running" }, { kind: "state", app: "tune", state: "Starting" }, { kind: "allocated", ask: "tune" }],
      select: { kind: "app", id: "tune" },
    },
    {
      title: "No node will do",
      text: `\`zoned\` wants a node whose \`zone\` is \`c\`, \`huge\` wants 12 cores. Their nodes fail for different reasons, and the panel counts them: one is draining, two lack the value; one is draining, two are too small **even when empty**.

A node counts once, under the first reason that applies. That \`n3\` lacks the value too is not said: it takes nobody, whatever it has.`,
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
      text: `\`more\` wants 2 cores. Two nodes would take it; \`root.vision\` uses 4 of at most 4. More nodes would not help, a higher max would.`,
      goto: { seconds: 4 },
      expect: [{ kind: "explains", ask: "more", reason: "headroom" }, { kind: "verdict", ask: "more", verdict: "not-entitled" }],
      select: { kind: "ask", id: "more" },
    },
    {
      title: "Its application may not start",
      text: `\`score\` would be the third application in a queue with \`maxapplications: 2\`. There are two reasons at once: the queue is full as well. Solve one and the other is left.`,
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
      text: `\`wide\` would fit an empty node, but both have too little free now: of memory or of cores. Something has to end; after two seconds the ask may reserve a node.

What is told is true at the moment of asking. It does not say how long it will take, and it gives no reason for what a policy module or a check of the host rules out beyond their names.`,
      goto: { seconds: 5 },
      expect: [{ kind: "pending", ask: "wide" }, { kind: "explains", ask: "wide", reason: "no-node-fits" }],
      select: { kind: "ask", id: "wide" },
      try: "Resume n3 from the node's panel: wide has a place at once.",
    },
  ],
});
