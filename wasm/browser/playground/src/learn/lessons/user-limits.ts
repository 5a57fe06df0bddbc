import { lesson } from "../course";
import { application, ask, configuration, node, release, script } from "../script";

const config = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: lab
      resources:
        max: {vcore: 20}
      limits:
      - limit: four cores for each student
        users: ["*"]
        maxresources: {vcore: 4}
      - limit: the course together
        groups: [course]
        maxresources: {vcore: 6}
        maxapplications: 2
      queues:
      - name: jobs
        limits:
        - limit: the tutor is not bound here
          users: [tina]
          maxapplications: 5
`;

const student = (id: string, user: string) => application(id, { queue: "root.lab.jobs", user, groups: ["course"] });

const journal = script(
  ["0s", configuration(config), node("n1", 20)],
  ["1s", student("bob-1", "bob"), student("eve-1", "eve"), student("eve-2", "eve")],
  ["2s", ask("bob", "bob-1", 2, { count: 3 })],
  ["3s", ask("eve", "eve-1", 2, { count: 2 })],
  ["4s", ask("eve-late", "eve-2", 1)],
  ["60s", release("bob-2")],
  ["90s", { type: "app.remove", id: "bob-1" }],
);

export const userLimits = lesson({
  name: "user-limits",
  title: "A user, a group, and their limits",
  group: "Placement and users",
  about: "A limit applies to each user separately, and to a group as the sum of its users.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "Twenty free cores",
      text: `\`root.lab\` has a max of 20 cores, and limits: each user may use 4 cores there, and the group \`course\` 6 cores together, in 2 applications.

\`bob\` and \`eve\` are in the course. **Predict:** \`bob\` asks three times for 2 cores. How many of his asks run?`,
      goto: { seconds: 1 },
      expect: [{ kind: "headroom", queue: "root.lab", type: "vcore", amount: 20 }, { kind: "state", app: "bob-1", state: "New" }],
      select: { kind: "queue", id: "root.lab" },
    },
    {
      title: "A user at the limit",
      text: `Two run: with the third, \`bob\` would use 6 cores, and each user may use 4. The queue still has 16. \`bob-3\` sleeps and costs nothing until usage of \`bob\` falls.

A dry run says \`limited\`: an ask never preempts past a limit.

**Predict:** \`eve\` has used nothing so far, and asks twice for 2 cores.`,
      goto: { seconds: 2 },
      expect: [
        { kind: "allocated", ask: "bob-2" },
        { kind: "pending", ask: "bob-3" },
        { kind: "explains", ask: "bob-3", reason: "user-limit" },
        { kind: "verdict", ask: "bob-3", verdict: "limited" },
        { kind: "headroom", queue: "root.lab.jobs", type: "vcore", amount: 16 },
      ],
      select: { kind: "ask", id: "bob-3" },
    },
    {
      title: "The group at its limit",
      text: `One of them runs. \`eve\` herself may use 2 more cores, but \`bob\` and she together use 6, all that the course has.

**Predict:** her second application asks for one core. What holds it back?`,
      goto: { seconds: 3 },
      expect: [
        { kind: "allocated", ask: "eve-1" },
        { kind: "pending", ask: "eve-2" },
        { kind: "explains", ask: "eve-2", reason: "group-limit" },
        { kind: "used", queue: "root.lab", type: "vcore", amount: 6 },
      ],
      select: { kind: "ask", id: "eve-2" },
    },
    {
      title: "A limit on applications",
      text: `Two applications of the course have started, and \`maxapplications\` is 2: \`eve-2\` may not start. The 6 cores of the course are used up as well; either limit alone would hold \`eve-late\` back.

**Predict:** one allocation of \`bob\` ends. Which ask is next?`,
      goto: { seconds: 4 },
      expect: [
        { kind: "pending", ask: "eve-late" },
        { kind: "explains", ask: "eve-late", reason: "group-max-applications" },
        { kind: "explains", ask: "eve-late", reason: "group-limit" },
        { kind: "state", app: "eve-2", state: "Accepted" },
      ],
      select: { kind: "ask", id: "eve-late" },
    },
    {
      title: "Room for both asks, and one gets it",
      text: `2 of the 6 cores are free for the course. \`bob\` and \`eve\` may each have them, and \`bob-1\` was submitted first. Both asks were tried again; there was room for one.

**Predict:** now all allocations of \`bob\` end, and 4 cores are free. How many will \`eve\` use?`,
      goto: { seconds: 60 },
      expect: [{ kind: "allocated", ask: "bob-3" }, { kind: "pending", ask: "eve-2" }, { kind: "used", queue: "root.lab", type: "vcore", amount: 6 }],
      select: { kind: "ask", id: "bob-3" },
    },
    {
      title: "Free for the course, not for her",
      text: `\`eve-2\` runs, and with it \`eve\` uses her 4 cores. The course has 2 left and may start one more application, but \`eve-late\` is hers as well: her own limit holds it back now. Both limits apply, in every queue up to the root.`,
      goto: { seconds: 90 },
      expect: [
        { kind: "allocated", ask: "eve-2" },
        { kind: "pending", ask: "eve-late" },
        { kind: "explains", ask: "eve-late", reason: "user-limit" },
        { kind: "used", queue: "root.lab", type: "vcore", amount: 4 },
      ],
      select: { kind: "ask", id: "eve-late" },
      try: "In Configure, change the 4 cores of each student to 5 and reload: eve-late runs at once.",
    },
  ],
});
