import { lesson } from "../course";
import { app, job, node, queues, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({
      "root.system": { guaranteed: { vcore: 1 } },
      "root.tenant1": { "preemption.policy": "fence" },
      "root.tenant1.a": {},
      "root.tenant1.b": { guaranteed: { vcore: 1 } },
      "root.tenant2": { "preemption.policy": "fence" },
      "root.tenant2.a": {},
      "root.tenant2.b": { guaranteed: { vcore: 1 } },
    }),
    node("n1", 1), node("n2", 2), app("one", "root.tenant1.a"), app("two", "root.tenant2.a"),
    runs("one", "one", "n1", 1), runs("two", "two", "n2", 1, { count: 2 }), ...job("one-b", "root.tenant1.b", 1)],
  ["1s", job("two-b", "root.tenant2.b", 1)],
  ["2s", job("sys", "root.system", 1)],
);

export const tenantFences = lesson({
  name: "tenant-fences",
  title: "Two tenants and a system",
  group: "The laws of preemption",
  about: "Fences keep tenants from preempting each other; a branch without a fence may preempt in both.",
  minutes: 2,
  journal,
  grace: 5,
  steps: [
    {
      title: "A fence works in one direction",
      text: `Both tenants are fenced, \`root.system\` is not. The cluster is full: \`one\` is of the first tenant, \`two-1\` and \`two-2\` are of the second. In each of the three branches an ask waits for a guaranteed core.

A fence keeps asks inside from preempting **outside**. It does not keep asks outside from preempting **inside**.`,
      goto: { seconds: 2 },
      expect: [{ kind: "pending", ask: "one-b" }, { kind: "pending", ask: "two-b" }, { kind: "pending", ask: "sys" }],
    },
    {
      title: "The first tenant preempts its own",
      text: `\`two-2\` is younger and would be enough. But it is outside the fence of \`tenant1\`, so \`one\` is preempted.`,
      goto: { seconds: 30 },
      expect: [{ kind: "victims", for: "one-b", victims: ["one"] }],
      select: { kind: "ask", id: "one" },
    },
    {
      title: "So does the second tenant",
      text: `Within \`tenant2\` there are two possible victims; the younger is preempted.`,
      goto: { seconds: 31 },
      expect: [{ kind: "victims", for: "two-b", victims: ["two-2"] }],
      select: { kind: "ask", id: "two-2" },
    },
    {
      title: "The system preempts in both",
      text: `While victims leave, \`n1\` is kept and the room on \`n2\` is claimed. What is left is \`two-1\`: \`sys\` is outside the fence and may preempt inside it. It has to wait until \`n2\` is no longer kept for another ask.`,
      goto: { seconds: 36 },
      expect: [{ kind: "victims", for: "sys", victims: ["two-1"] }],
      select: { kind: "ask", id: "sys" },
    },
    {
      title: "Three guarantees met",
      text: `Each of the three asks has its core.`,
      goto: { seconds: 41 },
      expect: [{ kind: "allocated", ask: "one-b", node: "n1" }, { kind: "allocated", ask: "two-b", node: "n2" }, { kind: "allocated", ask: "sys", node: "n2" }],
      try: "Remove the fence from root.tenant1 in Configure, and start again: one-b preempts an allocation of the other tenant.",
    },
  ],
});
