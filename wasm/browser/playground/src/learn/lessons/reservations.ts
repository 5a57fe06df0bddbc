import { lesson } from "../course";
import { app, job, node, queues, release, runs, script } from "../script";

const journal = script(
  ["0s",
    queues({ "root.a": {}, "root.b": {}, "root.c": {} }), node("n1", 4), node("n2", 5), app("fill", "root.c"),
    runs("f1", "fill", "n1", 2), runs("f2", "fill", "n2", 3)],
  ["10s", job("big", "root.a", 4)],
  ["14s", job("small", "root.b", 2)],
  ["15s", job("next", "root.b", 1)],
  ["16s", job("urgent", "root.b", 1, { priority: 1 })],
  ["2m", release("f1"), release("urgent"), release("next")],
);

export const reservations = lesson({
  name: "reservations",
  title: "Keeping a node free",
  group: "Limits and waiting",
  about: "Small asks could starve a large one forever. After two seconds the large ask may reserve a node.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "Too large for what is free",
      text: `\`n1\` has 2 of 4 cores free, \`n2\` has 2 of 5. \`big\` needs 4 on one node, so it waits.`,
      goto: { seconds: 10 },
      expect: [{ kind: "pending", ask: "big" }, { kind: "explains", ask: "big", reason: "no-node-fits" }, { kind: "held", node: "n1" }],
      select: { kind: "ask", id: "big" },
    },
    {
      title: "Two seconds later",
      text: `It has waited long enough and **reserves** a node: of those that would hold it when empty, the one on which least would be left over. That is \`n1\`, with nothing left; on \`n2\` one core would be left.`,
      goto: { seconds: 12 },
      expect: [{ kind: "held", node: "n1", ask: "big" }, { kind: "held", node: "n2" }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "Equal priorities use other nodes",
      text: `\`small\` asks for 2 cores, and both nodes have them. \`n1\` is reserved, so it is placed on \`n2\`. \`next\` asks for one more core: \`n2\` is full now, and \`n1\` is reserved.`,
      goto: { seconds: 15 },
      expect: [{ kind: "allocated", ask: "small", node: "n2" }, { kind: "pending", ask: "next" }, { kind: "explains", ask: "next", reason: "no-node-fits" }],
      select: { kind: "ask", id: "next" },
    },
    {
      title: "A higher priority ignores the reservation",
      text: `\`urgent\` has a higher priority than the ask that reserved. It is placed on the reserved node: a reservation holds back equal and lower priorities only.`,
      goto: { seconds: 16 },
      expect: [{ kind: "allocated", ask: "urgent", node: "n1" }, { kind: "held", node: "n1", ask: "big" }, { kind: "pending", ask: "next" }],
      select: { kind: "ask", id: "urgent" },
    },
    {
      title: "Half a minute at most",
      text: `A reservation ends 30 seconds after it was made, whatever happens. \`next\` is placed at once. The leaf of \`big\` may not reserve again for 30 seconds, and after that only where room has grown meanwhile: the wait can be long, but no ask can block a node forever.`,
      goto: { seconds: 42 },
      expect: [{ kind: "held", node: "n1" }, { kind: "allocated", ask: "next", node: "n1" }, { kind: "pending", ask: "big" }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "Room at last",
      text: `The allocations on \`n1\` have ended, and \`big\` is placed there.`,
      goto: { seconds: 120 },
      expect: [{ kind: "allocated", ask: "big", node: "n1" }],
      select: { kind: "ask", id: "big" },
      try: "Set reservation.delay: 0s on root in Configure: no ask reserves a node, and big waits just as long.",
    },
  ],
});
