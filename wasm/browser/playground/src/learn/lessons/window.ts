import { lesson } from "../course";
import { job, node, queues, script } from "../script";

const journal = script(
  ["0s", queues({ "root.a": {}, "root.course": {} }), node("n1", 4), node("n2", 4),
    { type: "window.add", id: "repair", from: "1h", until: "2h", nodes: ["n2"] },
    { type: "window.add", id: "class", from: "3h", until: "4h", nodes: ["n1"], queues: ["root.course"] },
    job("fills", "root.a", 4, { walltime: "2h30m", run: "2h30m" })],
  ["1m", job("over", "root.a", 4, { walltime: "3h", run: "3h" })],
  ["2m", job("short", "root.a", 4, { walltime: "30m", run: "30m" })],
  ["2h30m", job("late", "root.a", 4, { walltime: "1h", run: "1h" })],
  ["3h", job("lecture", "root.course", 4, { walltime: "2h", run: "2h" })],
);

export const windowOpens = lesson({
  name: "window",
  title: "A window opens",
  group: "Over time",
  about: "Nodes for a repair, and for a course, by the calendar: who is placed there before, and who in it.",
  minutes: 5,
  journal,
  steps: [
    {
      title: "No ask runs into it",
      text: `Two windows are announced. \`repair\` has \`n2\` from 1h to 2h and names no queue: a maintenance. \`class\` has \`n1\` from 3h to 4h, for the queue \`root.course\`. The picture shows both as bands.

\`fills\` has \`n1\` until 2h30m. \`over\` promises to end three hours after its start, and \`n2\` is free.

**Predict:** does \`over\` start there?`,
      goto: { seconds: 60 },
      overTime: true,
      expect: [{ kind: "decisions", type: "window.accepted", count: 2 }, { kind: "allocated", ask: "fills", node: "n1" }, { kind: "pending", ask: "over" }],
      select: { kind: "ask", id: "over" },
    },
    {
      title: "What is gone by then may run",
      text: `No: it would still be there at 1h, when the repair begins. \`short\` promises to end at 32m, so it is placed on \`n2\`. An ask without a walltime promises no end, and would wait like \`over\`.`,
      goto: { seconds: 120 },
      overTime: true,
      expect: [{ kind: "allocated", ask: "short", node: "n2" }, { kind: "pending", ask: "over" }],
      select: { kind: "ask", id: "short" },
    },
    {
      title: "It opens",
      text: `At 1h \`n2\` is empty, and the window opens. For an hour no ask is placed there.`,
      goto: { seconds: 3600 },
      overTime: true,
      expect: [{ kind: "decisions", type: "window.opened", count: 1 }, { kind: "pending", ask: "over" }],
      select: { kind: "node", id: "n2" },
    },
    {
      title: "It closes",
      text: `\`over\` starts on \`n2\`.`,
      goto: { seconds: 7200 },
      overTime: true,
      expect: [{ kind: "decisions", type: "window.closed", count: 1 }, { kind: "allocated", ask: "over", node: "n2" }],
      select: { kind: "ask", id: "over" },
    },
    {
      title: "A window for a queue",
      text: `\`n1\` was free from 2h30m on, but \`late\` would have run until 3h30m, into the window of the course. Now the window is open, and \`lecture\` of \`root.course\` has \`n1\`. It has a walltime of two hours, but promises to end at 4h: with the window.`,
      goto: { seconds: 10_800 },
      overTime: true,
      expect: [{ kind: "decisions", type: "window.opened", count: 2 }, { kind: "allocated", ask: "lecture", node: "n1" }, { kind: "pending", ask: "late" }],
      select: { kind: "ask", id: "lecture" },
    },
    {
      title: "The end of the window is a promise",
      text: `At 4h the window closes. \`lecture\` is still there, so it is told to leave with the reason \`window\`. \`late\` starts in its place.`,
      goto: { seconds: 14_400 },
      overTime: true,
      expect: [{ kind: "decisions", type: "walltime.exceeded", count: 1 }, { kind: "decisions", type: "window.closed", count: 2 }, { kind: "allocated", ask: "late" }],
      select: { kind: "ask", id: "late" },
      try: "Go back to the start and submit an ask with a walltime of 50m: it runs on n2 before the repair.",
    },
  ],
});
