import { lesson } from "../course";
import { application, ask, configuration, node, script } from "../script";

const config = `partitions:
- name: default
  placementrules:
  - name: tag                 # a service goes where its namespace says
    value: namespace
    create: true
    parent: {name: fixed, value: root.namespaces}
    filter: {type: deny, groups: [students]}
  - name: provided            # then the name that was given, if that queue exists
  - name: user                # then a queue of one's own
    create: true
    parent: {name: fixed, value: root.people}
  queues:
  - name: root
    adminacl: " ops"
    queues:
    - name: namespaces
      parent: true
      submitacl: "*"
      childtemplate:
        maxapplications: 10
        resources:
          guaranteed: {vcore: 2}
          max: {vcore: 8}
    - name: people
      parent: true
      submitacl: " staff,students"
      childtemplate:
        resources:
          max: {vcore: 2}
    - name: batch
      submitacl: "alice,bob"
`;

const journal = script(
  ["0s", configuration(config), node("n1", 16)],
  ["1s", application("shop", { user: "carol", groups: ["staff"], tags: { namespace: "Web.Shop" } })],
  ["2s", application("night", { queue: "root.batch", user: "alice", groups: ["staff"] })],
  ["3s", application("thesis", { queue: "root.batch", user: "dave", groups: ["students"], tags: { namespace: "labs" } })],
  ["4s", application("stray", { queue: "root.batch", user: "mallory" })],
  ["5s", ask("shop-1", "shop", 2)],
  ["60s", { type: "app.remove", id: "shop" }],
  ["80s", { type: "tick" }],
);

export const placement = lesson({
  name: "placement",
  title: "Rule by rule",
  group: "Placement and users",
  about: "Placement rules find the queue of an application, and create it if it does not exist.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "Three rules",
      text: `Each application is placed by the first rule that yields a queue it can use:

- \`tag\` creates a queue below \`root.namespaces\`, named after the tag \`namespace\`; not for students.
- \`provided\` takes the queue that the application names, if it exists.
- \`user\` creates a queue below \`root.people\`, named after the user.

\`root.batch\` is open to \`alice\` and \`bob\`, \`root.people\` to staff and students. **Predict:** \`carol\`, of staff, submits \`shop\` with the namespace \`Web.Shop\`. Which queue will it be placed in?`,
      goto: { seconds: 0 },
      expect: [{ kind: "queue", queue: "root.batch", state: "active" }, { kind: "queue", queue: "root.namespaces.web_dot_shop", state: "gone" }],
      select: { kind: "queue", id: "root.namespaces" },
    },
    {
      title: "By its namespace",
      text: `The first rule created \`root.namespaces.web_dot_shop\`: a dot would begin another level, so it is written \`_dot_\`, and names of queues are in lower case.

**Predict:** \`night\` of \`alice\` has no namespace and names \`root.batch\`.`,
      goto: { seconds: 1 },
      expect: [{ kind: "in", app: "shop", queue: "root.namespaces.web_dot_shop" }, { kind: "queue", queue: "root.namespaces.web_dot_shop", state: "active" }],
      select: { kind: "queue", id: "root.namespaces.web_dot_shop" },
    },
    {
      title: "By the name it gave",
      text: `The first rule finds no tag, so it does not match. The second finds \`root.batch\`, which is open to \`alice\`.

**Predict:** \`thesis\` of the student \`dave\` names \`root.batch\` too, and has the namespace \`labs\`.`,
      goto: { seconds: 2 },
      expect: [{ kind: "in", app: "night", queue: "root.batch" }],
      select: { kind: "app", id: "night" },
    },
    {
      title: "A rule that cannot be used does not match",
      text: `The first rule is not for students. The second finds a queue that is closed to \`dave\`. Neither is an error: the next rule is tried, and the third creates a queue for him.

**Predict:** \`mallory\`, of no group, submits \`stray\` to \`root.batch\`.`,
      goto: { seconds: 3 },
      expect: [
        { kind: "in", app: "thesis", queue: "root.people.dave" },
        { kind: "queue", queue: "root.namespaces.labs", state: "gone" },
        { kind: "queue", queue: "root.people.dave", state: "active" },
      ],
      select: { kind: "queue", id: "root.people.dave" },
    },
    {
      title: "No rule matches",
      text: `There is no namespace, \`root.batch\` is closed to \`mallory\`, and so is \`root.people\`. There is no \`root.default\` to fall back on, so \`stray\` is rejected. The message of the decision lists each rule and why it did not match. A rejected application leaves no queue behind.

**Predict:** \`shop\` asks for 2 cores. How many more may its queue use after that? Nothing in the tree names this queue.`,
      goto: { seconds: 4 },
      expect: [{ kind: "rejected", id: "stray", reason: "access-denied" }, { kind: "queue", queue: "root.people.mallory", state: "gone" }],
      select: { kind: "queue", id: "root.people" },
    },
    {
      title: "Settings from a template",
      text: `A queue that a rule created has the settings of the nearest \`childtemplate\` above it: here a guarantee of 2 cores, and a max of 8. Six of the eight are left.

**Predict:** \`shop\` is removed at one minute. Is its queue removed with it?`,
      goto: { seconds: 5 },
      expect: [
        { kind: "allocated", ask: "shop-1" },
        { kind: "used", queue: "root.namespaces.web_dot_shop", type: "vcore", amount: 2 },
        { kind: "headroom", queue: "root.namespaces.web_dot_shop", type: "vcore", amount: 6 },
      ],
      select: { kind: "queue", id: "root.namespaces.web_dot_shop" },
    },
    {
      title: "Empty, but not removed yet",
      text: `Not yet: another application of the same namespace may arrive soon. An empty queue that a rule created stays for ten seconds.`,
      goto: { seconds: 69 },
      expect: [{ kind: "state", app: "shop", state: "Completed" }, { kind: "queue", queue: "root.namespaces.web_dot_shop", state: "active" }],
      select: { kind: "queue", id: "root.namespaces.web_dot_shop" },
    },
    {
      title: "Ten seconds later",
      text: `Now it is removed. \`root.namespaces\` stays, since the configuration names it, and so does \`root.people.dave\`, which still has an application.`,
      goto: { seconds: 70 },
      expect: [
        { kind: "queue", queue: "root.namespaces.web_dot_shop", state: "gone" },
        { kind: "queue", queue: "root.namespaces", state: "active" },
        { kind: "queue", queue: "root.people.dave", state: "active" },
      ],
      select: { kind: "queue", id: "root.namespaces" },
      try: "Start again, delete the first rule in Configure and reload. Then take the next step: carol names no queue, so the last rule creates root.people.carol for shop.",
    },
  ],
});
