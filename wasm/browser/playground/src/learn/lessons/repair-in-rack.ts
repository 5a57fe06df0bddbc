import { lesson } from "../course";
import { app, ask, node, queues, release, runs, script } from "../script";

const rack = (name: string) => ({ attributes: { rack: name } });
const member = { gang: "g", gang_min: 2, topology_required: "rack" };

const journal = script(
  ["0s",
    queues({ "root.training": {}, "root.web": {} }, ["topology: [{level: rack, attribute: rack}]"]),
    node("n1", 4, rack("r1")), node("n2", 4, rack("r1")), node("n3", 4, rack("r1")), node("n4", 4, rack("r2")), node("n5", 4, rack("r2")), node("n6", 4, rack("r2")),
    app("web", "root.web"), runs("web", "web", "n3", 4), app("train", "root.training"), ask("train", "train", 4, { ...member, count: 2 })],
  ["30s", { type: "node.remove", id: "n2" }],
  ["31s", ask("again", "train", 4, member)],
  ["50s", release("web")],
  ["1m", { type: "tick" }],
);

export const repairInRack = lesson({
  name: "repair-in-rack",
  title: "A lost node, repaired in its rack",
  group: "Gangs",
  about: "A gang that loses a node is broken, and its new member waits for room in the same rack.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "A training in one rack",
      text: `\`train\` has two workers and requires one rack. \`r1\` has two free nodes beside that of \`web\`, and \`r2\` has three: it gets the tighter one, \`r1\`. The inspector shows its gang as whole, and the line at the side of its workers in the picture is unbroken.

**Predict:** node \`n2\` is lost. What becomes of the other worker?`,
      goto: { seconds: 1 },
      expect: [
        { kind: "together", asks: ["train-1", "train-2"] },
        { kind: "allocated", ask: "train-1", node: "n1" },
        { kind: "allocated", ask: "train-2", node: "n2" },
      ],
      select: { kind: "app", id: "train" },
    },
    {
      title: "Broken",
      text: `It stays: \`gang.broken\` says that one of two members is left. With \`gang_repair\` the gang would end after that time; without, it waits for its repair.

The trainer asks for another worker, \`again\`. **Predict:** three nodes are free, all in \`r2\`. Where does it go?`,
      goto: { seconds: 30 },
      expect: [{ kind: "decisions", type: "gang.broken", count: 1 }, { kind: "allocated", ask: "train-1", node: "n1" }],
      select: { kind: "app", id: "train" },
    },
    {
      title: "It waits for its rack",
      text: `Nowhere yet. The gang requires one rack, and its first worker is in \`r1\`, so a worker in \`r2\` would be of no use. \`again\` is a **repair**: in its queue it comes before other asks of its priority, and it may preempt in its rack.`,
      goto: { seconds: 31 },
      expect: [{ kind: "pending", ask: "again" }],
      select: { kind: "ask", id: "again" },
    },
    {
      title: "Whole again",
      text: `\`web\` has left \`n3\`, and \`again\` runs there, in \`r1\`. \`gang.repaired\` says that the gang is whole.`,
      goto: { seconds: 50 },
      expect: [{ kind: "allocated", ask: "again", node: "n3" }, { kind: "decisions", type: "gang.repaired", count: 1 }],
      select: { kind: "app", id: "train" },
      try: "Go back to 30s and add a node of 4 cores with the attribute rack=r1: again is placed there at once.",
    },
  ],
});
