import { lesson } from "../course";
import { app, ask, node, queues, script } from "../script";

const at = (block: string, rack: string) => ({ attributes: { block, rack } });
const inBlock = { gang: "g", gang_min: 4, topology_required: "block" };
const sliced = { ...inBlock, topology_slice: { level: "rack", size: 2 } };

const journal = script(
  ["0s",
    queues({ "root.training": {} }, ["topology: [{level: block, attribute: block}, {level: rack, attribute: rack}]", "nodesortpolicy: {type: binpacking}"]),
    node("n1", 4, at("a", "1")), node("n2", 4, at("a", "1")), node("n3", 4, at("a", "1")), node("n4", 4, at("a", "2")),
    node("n5", 4, at("b", "1")), node("n6", 4, at("b", "1")), node("n7", 4, at("b", "2")), node("n8", 4, at("b", "2")),
    app("plain", "root.training"), app("sliced", "root.training"), app("late", "root.training")],
  ["1s", ask("plain", "plain", 4, { ...inBlock, count: 4, run: "59s" })],
  ["1m1s", ask("sliced", "sliced", 4, { ...sliced, count: 4 })],
  ["1m2s", ask("late", "late", 4, { ...sliced, count: 4 })],
  ["1m30s", { type: "node.remove", id: "n8" }],
  ["1m31s", ask("again", "sliced", 4, sliced)],
  ["1m40s", node("n9", 4, at("b", "2"))],
  ["1m50s", { type: "tick" }],
);

export const slicesOfGangs = lesson({
  name: "slices",
  title: "Slices: pairs in one rack, all in one block",
  group: "Gangs",
  about: "A gang whose members are close in two ways: each slice in one rack, and all slices in one block.",
  minutes: 4,
  journal,
  steps: [
    {
      title: "One block for all",
      text: `The topology has two levels. Blocks \`a\` and \`b\` have four nodes each: in \`a\` three of them are in rack \`1\` and one is in rack \`2\`, in \`b\` both racks have two.

\`plain\` needs four whole nodes in one block. Both have room for it. Of equal ones, the first by name is taken: block \`a\`.

**Predict:** the workers of \`sliced\` work in pairs, and a pair needs one rack. Which blocks have room for two pairs?`,
      goto: { seconds: 1 },
      expect: [
        { kind: "together", asks: ["plain-1", "plain-2", "plain-3", "plain-4"] },
        { kind: "allocated", ask: "plain-4", node: "n4" },
      ],
      select: { kind: "app", id: "plain" },
    },
    {
      title: "Each pair in a rack",
      text: `\`plain\` has ended, so both blocks are empty again. \`sliced\` gives \`topology_required: block\` and \`topology_slice\` with the level \`rack\` and the size 2. Its members form **slices** in order: the first two are one, the next two another. Each slice gets one rack.

Block \`a\` has room for four members, but for only one slice: the single node of its rack \`2\` is of no use to a pair. Block \`b\` has room for both.`,
      goto: { seconds: 61 },
      expect: [
        { kind: "together", asks: ["sliced-1", "sliced-2", "sliced-3", "sliced-4"] },
        { kind: "allocated", ask: "sliced-1", node: "n5" },
        { kind: "allocated", ask: "sliced-2", node: "n6" },
        { kind: "allocated", ask: "sliced-3", node: "n7" },
        { kind: "allocated", ask: "sliced-4", node: "n8" },
      ],
      select: { kind: "app", id: "sliced" },
    },
    {
      title: "Four free nodes are not enough",
      text: `\`late\` is like \`sliced\`. The four nodes of block \`a\` are free, and it waits: the inspector says how many slices each block has room for.

**Predict:** node \`n8\` is lost, and the trainer of \`sliced\` asks for another worker, \`again\`. Four nodes are free. Where does it go?`,
      goto: { seconds: 62 },
      expect: [{ kind: "pending", ask: "late-1" }, { kind: "explains", ask: "late-1", reason: "gang-does-not-fit" }],
      select: { kind: "ask", id: "late-1" },
    },
    {
      title: "A repair joins the slice that lacks a member",
      text: `Nowhere yet. The gang is broken. \`again\` belongs to its second slice, whose other member is in rack \`2\` of block \`b\`: its partner would not reach it in any other rack.`,
      goto: { seconds: 91 },
      expect: [{ kind: "decisions", type: "gang.broken", count: 1 }, { kind: "pending", ask: "again" }, { kind: "allocated", ask: "sliced-3", node: "n7" }],
      select: { kind: "ask", id: "again" },
    },
    {
      title: "Whole again",
      text: `A new node comes to that rack. \`again\` runs there at once, and the gang is whole.`,
      goto: { seconds: 100 },
      expect: [{ kind: "allocated", ask: "again", node: "n9" }, { kind: "decisions", type: "gang.repaired", count: 1 }, { kind: "pending", ask: "late-1" }],
      select: { kind: "app", id: "sliced" },
      try: "Go back to 1m2s and add a node of 4 cores with the attributes block=a and rack=2: late gets block a.",
    },
  ],
});
