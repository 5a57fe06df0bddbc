import { lesson } from "../course";
import { app, ask, job, node, queues, release, script } from "../script";

const journal = script(
  ["0s", queues({ "root.a": { maxapplications: 1 }, "root.b": {} }), node("n1", 100), job("first", "root.a", 1)],
  ["10s", job("second", "root.a", 1, { priority: 100 }), job("other", "root.b", 1)],
  ["20s", ask("more", "first", 1)],
  ["30s", release("first"), release("more")],
  ["40s", ask("again", "first", 1), app("third", "root.a")],
);

export const maxApplications = lesson({
  name: "max-applications",
  title: "How many applications may run",
  group: "Limits and waiting",
  about: "maxapplications limits the applications that run in a queue, not what they use.",
  minutes: 2,
  journal,
  steps: [
    {
      title: "One application may run",
      text: `\`root.a\` has \`maxapplications: 1\`. \`first\` runs in it; the node has 99 free cores.`,
      goto: { seconds: 0 },
      expect: [{ kind: "allocated", ask: "first" }, { kind: "state", app: "first", state: "Starting" }],
      select: { kind: "queue", id: "root.a" },
    },
    {
      title: "The second waits",
      text: `\`second\` arrived with priority 100, and waits: the limit is reached. It stays Accepted and its asks wait with it. Applications in other queues are not delayed.`,
      goto: { seconds: 10 },
      expect: [
        { kind: "pending", ask: "second" },
        { kind: "state", app: "second", state: "Accepted" },
        { kind: "explains", ask: "second", reason: "max-applications" },
        { kind: "verdict", ask: "second", verdict: "may-not-start" },
        { kind: "allocated", ask: "other" },
      ],
      select: { kind: "ask", id: "second" },
    },
    {
      title: "A running application continues",
      text: `\`first\` asks for more and gets it. The limit is on starting.`,
      goto: { seconds: 20 },
      expect: [{ kind: "allocated", ask: "more" }, { kind: "state", app: "first", state: "Running" }, { kind: "pending", ask: "second" }],
      select: { kind: "app", id: "first" },
    },
    {
      title: "The place is free at once",
      text: `All allocations of \`first\` have ended. It is **Completing** and will be Completed in 30 seconds, but it no longer counts: \`second\` starts in the same instant.`,
      goto: { seconds: 30 },
      expect: [{ kind: "state", app: "first", state: "Completing" }, { kind: "allocated", ask: "second" }],
      select: { kind: "ask", id: "second" },
    },
    {
      title: "A returning application may exceed the limit",
      text: `\`first\` asked again before it was Completed, so it is Running once more: two applications run where one may start. The limit does not stop an application that asks again.`,
      goto: { seconds: 40 },
      expect: [{ kind: "allocated", ask: "again" }, { kind: "state", app: "first", state: "Running" }, { kind: "state", app: "second", state: "Starting" }],
      select: { kind: "queue", id: "root.a" },
      try: "Submit an application to root.a: it has to wait until both have ended.",
    },
  ],
});
