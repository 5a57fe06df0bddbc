import { lesson } from "../course";
import { app, ask, job, node, queues, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.a": { "application.sort.policy": "stateaware" } }),
    node("n1", 10), job("one", "root.a", 1), job("two", "root.a", 1), job("three", "root.a", 1)],
  ["5m30s", ask("two-more", "two", 1)],
  ["6m", app("quick", "root.a", { "application.stateaware.disable": "true" }), ask("quick-1", "quick", 1)],
  ["9m", job("late", "root.a", 1)],
);

export const stateaware = lesson({
  name: "stateaware",
  title: "One at a time: stateaware",
  group: "Scheduling order",
  about: "In a stateaware leaf one application starts at a time: the next waits until it is Running.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "One application starts, the others wait",
      text: `Three applications ask for one core each, and there are ten. \`one\` has its first allocation and is **Starting**. No other application may start until it is Running, although it has no more asks.`,
      goto: { seconds: 0 },
      expect: [
        { kind: "allocated", ask: "one" },
        { kind: "state", app: "one", state: "Starting" },
        { kind: "state", app: "two", state: "Accepted" },
        { kind: "pending", ask: "two" },
        { kind: "explains", ask: "two", reason: "state-filter" },
      ],
      select: { kind: "ask", id: "two" },
    },
    {
      title: "Four minutes and 59 seconds",
      text: `An application with a single allocation becomes Running after five minutes. One second before that, nothing has changed.`,
      goto: { seconds: 299 },
      expect: [{ kind: "state", app: "one", state: "Starting" }, { kind: "pending", ask: "two" }],
    },
    {
      title: "Five minutes",
      text: `The timer ended. \`one\` is Running, and \`two\` starts in the same instant. \`three\` continues to wait.`,
      goto: { seconds: 300 },
      expect: [
        { kind: "state", app: "one", state: "Running" },
        { kind: "allocated", ask: "two" },
        { kind: "state", app: "two", state: "Starting" },
        { kind: "pending", ask: "three" },
      ],
      select: { kind: "app", id: "one" },
    },
    {
      title: "A second allocation is faster",
      text: `\`two\` asked again and has its second allocation, which makes it Running at once. The next one starts: \`three\`.`,
      goto: { seconds: 330 },
      expect: [
        { kind: "state", app: "two", state: "Running" },
        { kind: "order", asks: ["one", "two", "two-more", "three"] },
        { kind: "state", app: "three", state: "Starting" },
      ],
      select: { kind: "app", id: "two" },
    },
    {
      title: "Exempt by a tag",
      text: `\`quick\` has the tag \`application.stateaware.disable: "true"\`, so its first allocation makes it Running. It still has to wait until \`three\` is Running, at 10m30s.

\`late\` was submitted at 9m and has to wait for both.`,
      goto: { seconds: 540 },
      expect: [{ kind: "pending", ask: "quick-1" }, { kind: "pending", ask: "late" }],
      select: { kind: "ask", id: "quick-1" },
    },
    {
      title: "Both start at once",
      text: `At 10m30s \`three\` is Running. \`quick\` starts and is Running in the same instant, so \`late\` starts with it.`,
      goto: { seconds: 630 },
      expect: [
        { kind: "state", app: "quick", state: "Running" },
        { kind: "state", app: "late", state: "Starting" },
        { kind: "order", asks: ["three", "quick-1", "late"] },
      ],
    },
  ],
});
