import { lesson } from "../course";
import { app, ask, node, queues, release, runs, script } from "../script";

const rack = (name: string) => ({ attributes: { rack: name } });
const pair = { gang: "g", gang_min: 2, count: 2 };

const journal = script(
  ["0s",
    queues({ "root.training": {}, "root.web": {} }, ["topology: [{level: rack, attribute: rack}]"]),
    node("n1", 4, rack("r1")), node("n2", 4, rack("r1")), node("n3", 4, rack("r2")), node("n4", 4, rack("r2")),
    app("web", "root.web"), runs("web-1", "web", "n2", 4), runs("web-2", "web", "n4", 4), app("must", "root.training"), app("wish", "root.training")],
  ["1s", ask("must", "must", 4, { ...pair, topology_required: "rack" })],
  ["2s", ask("wish", "wish", 4, { ...pair, topology_preferred: "rack", run: "28s" })],
  ["40s", release("web-1")],
  ["50s", { type: "tick" }],
);

export const requiredOrPreferred = lesson({
  name: "required-or-preferred",
  title: "Required or preferred",
  group: "Gangs",
  about: "A gang that waits for a rack, and one that takes what there is.",
  minutes: 3,
  journal,
  steps: [
    {
      title: "Two free nodes in two racks",
      text: `Each rack has one free node; \`web\` has the other. \`must\` needs two nodes, with \`topology_required: rack\`. Two are free, but not in one rack, so it waits. Like any gang that waits, it holds nothing.

**Predict:** \`wish\` asks for the same, with \`topology_preferred: rack\`.`,
      goto: { seconds: 1 },
      expect: [{ kind: "pending", ask: "must-1" }, { kind: "explains", ask: "must-1", reason: "gang-does-not-fit" }],
      select: { kind: "ask", id: "must-1" },
    },
    {
      title: "Preferred: the rack, then anywhere",
      text: `\`wish\` runs on \`n1\` and \`n3\`. A preferred level is tried first, then each wider level, and at last all nodes. It passes \`must\`, which cannot use what it takes.`,
      goto: { seconds: 2 },
      expect: [
        { kind: "together", asks: ["wish-1", "wish-2"] },
        { kind: "allocated", ask: "wish-1", node: "n1" },
        { kind: "allocated", ask: "wish-2", node: "n3" },
        { kind: "pending", ask: "must-1" },
      ],
      select: { kind: "app", id: "wish" },
    },
    {
      title: "Still no rack",
      text: `\`wish\` has ended, and again one node of each rack is free. \`must\` waits on.

**Predict:** \`web-1\` ends at 40 seconds, on \`n2\`. What happens then?`,
      goto: { seconds: 39 },
      expect: [{ kind: "pending", ask: "must-1" }, { kind: "used", queue: "root.training", type: "vcore", amount: 0 }],
      select: { kind: "app", id: "must" },
    },
    {
      title: "A whole rack",
      text: `Rack \`r1\` has two free nodes, and \`must\` runs there. Require a level if the work is of no use otherwise, and prefer it if it is only slower.`,
      goto: { seconds: 40 },
      expect: [
        { kind: "together", asks: ["must-1", "must-2"] },
        { kind: "allocated", ask: "must-1", node: "n1" },
        { kind: "allocated", ask: "must-2", node: "n2" },
      ],
      select: { kind: "app", id: "must" },
      try: "Go back to 1s and add a node of 4 cores with the attribute rack=r1: must is placed at once.",
    },
  ],
});
