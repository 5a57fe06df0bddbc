import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const rack = (name: string) => ({ attributes: { rack: name } });
const inRack = (members: number) => ({ gang: "g", gang_min: members, count: members, topology_required: "rack" });

const journal = script(
  ["0s",
    queues({ "root.training": {}, "root.web": {} }, ["topology: [{level: rack, attribute: rack}]", "nodesortpolicy: {type: binpacking}"]),
    node("n1", 4, rack("r1")), node("n2", 4, rack("r1")), node("n3", 4, rack("r1")), node("n4", 4, rack("r2")), node("n5", 4, rack("r2")),
    app("small", "root.training"), app("large", "root.training"), app("pair", "root.training"), app("late", "root.training"), app("web", "root.web")],
  ["1s", ask("small", "small", 4, { ...inRack(2), run: "59s" })],
  ["2s", ask("large", "large", 4, { ...inRack(3), run: "58s" })],
  ["1m", ask("web", "web", 1, { count: 2 })],
  ["1m1s", ask("pair", "pair", 4, { ...inRack(2), run: "1h" })],
  ["1m2s", ask("late", "late", 4, inRack(3))],
  ["1m10s", { type: "tick" }],
);

export const wholeRack = lesson({
  name: "whole-rack",
  title: "A rack that stays whole",
  group: "Gangs",
  about: "Which rack a gang is placed in, and why a larger gang then still finds one.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "The tightest rack",
      text: `The configuration has a \`topology\` of one level, \`rack\`: nodes with the same value of the attribute \`rack\` are in one **domain**. The picture of the nodes shows the two racks as frames: \`r1\` with three nodes, \`r2\` with two.

The workers of \`small\` talk to one another, so they give \`topology_required: rack\`. Both racks have room for the two. It gets the one with the **least room**: \`r2\`.

**Predict:** \`large\` needs three whole nodes in one rack. Where will it run?`,
      goto: { seconds: 1 },
      expect: [
        { kind: "together", asks: ["small-1", "small-2"] },
        { kind: "allocated", ask: "small-1", node: "n4" },
        { kind: "allocated", ask: "small-2", node: "n5" },
      ],
      select: { kind: "app", id: "small" },
    },
    {
      title: "The other one was kept whole",
      text: `In \`r1\`, which is whole. If \`small\` had been put on the first two nodes, \`large\` would wait now, with three free nodes in two racks.`,
      goto: { seconds: 2 },
      expect: [
        { kind: "together", asks: ["large-1", "large-2", "large-3"] },
        { kind: "allocated", ask: "large-1", node: "n1" },
        { kind: "allocated", ask: "large-3", node: "n3" },
      ],
      select: { kind: "app", id: "large" },
    },
    {
      title: "Single asks do not know of racks",
      text: `Both have ended. \`web\` asks for two times one core, without a level. With \`nodesortpolicy: {type: binpacking}\` both land on \`n1\`. With \`fair\` they would spread over the nodes, and soon no rack would have three free ones.

**Predict:** \`pair\` needs two free nodes in one rack, \`late\` three.`,
      goto: { seconds: 60 },
      expect: [{ kind: "allocated", ask: "web-1", node: "n1" }, { kind: "allocated", ask: "web-2", node: "n1" }],
      select: { kind: "node", id: "n1" },
    },
    {
      title: "Two racks with room for two",
      text: `\`r1\` and \`r2\` both have room for two members. Of equal racks the first by name is taken, so \`pair\` is in \`r1\`, and \`late\` waits: no rack has three free nodes any more. The inspector says what the nearest racks lack, and who has their nodes.`,
      goto: { seconds: 62 },
      expect: [
        { kind: "allocated", ask: "pair-1", node: "n2" },
        { kind: "allocated", ask: "pair-2", node: "n3" },
        { kind: "pending", ask: "late-1" },
        { kind: "explains", ask: "late-1", reason: "gang-does-not-fit" },
      ],
      select: { kind: "ask", id: "late-1" },
      try: "Go back to 1m and add a node of 4 cores with the attribute rack=r2: late is placed in r2, and pair as before.",
    },
  ],
});
