import { lesson } from "../course";
import { app, ask, node, queues, release, script } from "../script";

const journal = script(
  ["0s", queues({ "root.default": {} }), app("eval", "root.default")],
  ["10s", ask("eval-1", "eval", 4)],
  ["1m", node("n1", 8)],
  ["7m", release("eval-1")],
  ["7m10s", ask("eval-2", "eval", 1, { run: "1m" })],
);

export const applicationStates = lesson({
  name: "application-states",
  title: "The life of an application",
  group: "Limits and waiting",
  about: "New, Accepted, Starting, Running, Completing, Completed, and the timers between them.",
  minutes: 3,
  journal,
  steps: [
    { title: "New", text: `\`eval\` was submitted and has no asks yet.`, goto: { seconds: 0 },
      expect: [{ kind: "state", app: "eval", state: "New" }], select: { kind: "app", id: "eval" } },
    { title: "Accepted", text: `Its first ask arrived. There is no node yet.`, goto: { seconds: 10 },
      expect: [{ kind: "state", app: "eval", state: "Accepted" }, { kind: "pending", ask: "eval-1" }], select: { kind: "app", id: "eval" } },
    { title: "Starting", text: `It has its first allocation. A second one would make it Running.`, goto: { seconds: 60 },
      expect: [{ kind: "state", app: "eval", state: "Starting" }, { kind: "allocated", ask: "eval-1" }], select: { kind: "app", id: "eval" } },
    { title: "Running", text: `There was no second allocation, so a timer changed the state five minutes after Starting. Nothing else happened at that moment: the scheduler had announced the time of the timer, and the clock stopped there.`, goto: { seconds: 360 },
      expect: [{ kind: "state", app: "eval", state: "Running" }], select: { kind: "app", id: "eval" } },
    { title: "Completing", text: `Its only allocation has ended and it has no pending asks. It stays Completing for 30 seconds.`, goto: { seconds: 420 },
      expect: [{ kind: "state", app: "eval", state: "Completing" }], select: { kind: "app", id: "eval" } },
    { title: "Running again", text: `It asked within the 30 seconds: Completing becomes Running, without Starting again.`, goto: { seconds: 430 },
      expect: [{ kind: "state", app: "eval", state: "Running" }, { kind: "allocated", ask: "eval-2" }], select: { kind: "app", id: "eval" } },
    { title: "Completed", text: `\`eval-2\` ran for its minute; 30 seconds later the application is Completed. Its ID may be used again. The record is dropped after three days.`, goto: { seconds: 520 },
      expect: [{ kind: "state", app: "eval", state: "Completed" }],
      try: "Submit another application with the ID eval now. Then go back to 8m and try the same: it is rejected there." },
  ],
});
