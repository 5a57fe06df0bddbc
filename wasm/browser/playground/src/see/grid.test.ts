import { describe, expect, test } from "vitest";
import { createModel } from "../model/cluster";
import type { Line } from "../model/lines";
import type { Decision } from "../engine/types";
import { groupsBy } from "./colour-by";
import { blocksOf, runsOf } from "./grid-blocks";
import { busiest, marksIn } from "./grid-busiest";
import { framesOf } from "./grid-frames";
import { bodyOf, boxOf, indexAfter, indexAt, layOut, layOutRacks } from "./grid-layout";
import { litBy } from "./grid-lit";
import { useOf } from "./grid-use";
import { byDomain, domainOf, levelsOf } from "./racks";
import { describeNode, stateOf, tipOf } from "./grid-words";

const GiB = 2 ** 30;

function cluster() {
  const model = createModel();
  const lines: readonly (Line | Omit<Decision, "seq" | "at">)[] = [
    { type: "node.add", at: "0s", id: "n1", capacity: { vcore: 8, memory: "32Gi" }, occupied: { vcore: 1 } },
    { type: "node.accepted", id: "n1" },
    { type: "node.add", at: "0s", id: "n2", capacity: { vcore: 8, memory: "32Gi" }, schedulable: false },
    { type: "node.accepted", id: "n2" },
    { type: "app.add", at: "0s", id: "web", queue: "root.prod" },
    { type: "app.accepted", id: "web", queue: "root.prod" },
    { type: "app.add", at: "0s", id: "train", queue: "root.research.text" },
    { type: "app.accepted", id: "train", queue: "root.research.text" },
    { type: "ask.add", at: "0s", id: "web-1", app: "web", resources: { vcore: 2, memory: "2Gi" } },
    { type: "ask.add", at: "0s", id: "train-1", app: "train", resources: { vcore: 1, memory: "16Gi" } },
    { type: "ask.add", at: "0s", id: "web-2", app: "web", resources: { vcore: 2, memory: "2Gi" }, priority: 7 },
    { type: "allocation", id: "web-1", app: "web", queue: "root.prod", node: "n1", resources: { vcore: "2000m", memory: 2 * GiB } },
    { type: "allocation", id: "train-1", app: "train", queue: "root.research.text", node: "n1", resources: { vcore: "1000m", memory: 16 * GiB } },
    { type: "allocation", id: "web-2", app: "web", queue: "root.prod", node: "n1", priority: 7, resources: { vcore: "2000m", memory: 2 * GiB } },
  ];
  lines.forEach((line, i) => model.apply("at" in line ? line : { seq: i + 1, at: "0s", ...line }));
  return model;
}

test.each([true, false])("a node that is held shows it when it is selected as well (small: %s)", (small) => {
  for (const node of [{ kept: "a" }, { reserved: "b" }, { kept: "a", reserved: "b" }]) {
    const [plain, selected] = [framesOf(node, false, small), framesOf(node, true, small)];
    expect(selected.map(({ colour, width, dash }) => ({ colour, width, dash })).slice(1)).toEqual(plain.map(({ colour, width, dash }) => ({ colour, width, dash })));
    expect(selected[0]?.colour).toBe("accent");
    expect(plain.every(({ colour }) => colour === "warn")).toBe(true);
    for (const [i, { inset }] of selected.entries()) expect(inset).toBe(selected.slice(0, i).reduce((sum, { width }) => sum + width, 0));
  }
  expect(framesOf({ kept: "a" }, false, small)[0]?.dash).toEqual([]);
  expect(framesOf({ reserved: "a" }, false, small)[0]?.dash).not.toEqual([]);
  expect(framesOf({}, false, small)).toEqual([]);
});

test("a placeholder is told apart in words, and so is one that leaves for no ask", () => {
  const model = cluster();
  model.apply({ type: "app.add", at: "0s", id: "gang", queue: "root.a", placeholder_ask: { vcore: 1 } });
  model.apply({ seq: 50, at: "0s", type: "app.accepted", id: "gang", queue: "root.a" });
  model.apply({ type: "ask.add", at: "0s", id: "held", app: "gang", resources: { vcore: 1 }, task_group: "t", placeholder: true });
  model.apply({ seq: 51, at: "0s", type: "allocation", id: "held", app: "gang", queue: "root.a", node: "n1" });
  expect(marksIn(model)).toContain("placeholder");
  expect(describeNode(node(model, "n1"), 1, 2)).toContain(", 1 of them a placeholder");
  const lines = () => tipOf(node(model, "n1"), plain(model, "n1", "").find((block) => block.ask?.id === "held"), model).lines;
  expect(lines()).toContain("placeholder of a gang: it holds room for a task");
  expect(lines()).not.toContain("told to leave");
  model.apply({ seq: 52, at: "0s", type: "placeholder.timeout", id: "held", app: "gang", node: "n1", reason: "timeout" });
  expect(lines()).toContain("told to leave");
  expect(marksIn(model)).toContain("leaving");
});

const node = (model: ReturnType<typeof cluster>, id: string) => {
  const found = model.nodes.get(id);
  if (!found) throw new Error(`no node ${id}`);
  return found;
};

const plain = (model: ReturnType<typeof cluster>, id: string, type: string) => blocksOf(node(model, id), type, groupsBy("application", model));

describe("layout", () => {
  test.each([[[4, 4, 4, 2]], [[1]], [Array.from({ length: 160 }, () => 8)]])("tiles stand in the frames of their domains, apart from one another", (sizes) => {
    const layout = layOutRacks(sizes, 734, 400);
    const count = sizes.reduce((sum, n) => sum + n, 0);
    for (let i = 0; i < count; i++) {
      const box = boxOf(layout, i);
      const rack = layout.racks?.find(({ first, count }) => i >= first && i < first + count);
      if (!rack) throw new Error(`tile ${i} is in no frame`);
      expect(box.x).toBeGreaterThan(rack.x);
      expect(box.y).toBeGreaterThan(rack.y);
      expect(box.x + box.width).toBeLessThan(rack.x + rack.width);
      expect(box.y + box.height).toBeLessThan(rack.y + rack.height);
      expect(indexAt(layout, count, box.x + box.width / 2, box.y + box.height / 2)).toBe(i);
    }
    const last = layout.racks?.at(-1);
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(layout.total + 0.01);
    expect(indexAt(layout, count, -1, 5)).toBeUndefined();
  });

  test("arrow keys go from frame to frame", () => {
    const layout = layOutRacks([2, 2, 2, 2], 400, 800);
    expect(indexAfter(layout, 8, 1, "ArrowRight")).toBe(2);
    const down = indexAfter(layout, 8, 0, "ArrowDown") ?? 0;
    expect(boxOf(layout, down).y).toBeGreaterThan(boxOf(layout, 0).y);
    expect(indexAfter(layout, 8, down, "ArrowUp")).toBe(0);
    expect(indexAfter(layout, 8, 0, "ArrowUp")).toBe(0);
  });

  test.each([1, 3, 10, 57, 200, 1000, 5000])("%i tiles lie apart, in their order, and fill the width", (count) => {
    const layout = layOut(count, 734, 400);
    expect(layout.columns * (layout.width + layout.gap) - layout.gap).toBeLessThanOrEqual(734.01);
    expect(layout.columns * layout.rows).toBeGreaterThanOrEqual(count);
    expect(layout.width).toBeGreaterThanOrEqual(13);
    for (const i of [0, 1, Math.floor(count / 2), count - 1].filter((one) => one < count)) {
      const box = boxOf(layout, i);
      expect(indexAt(layout, count, box.x + 1, box.y + 1)).toBe(i);
      expect(indexAt(layout, count, box.x + box.width - 1, box.y + box.height - 1)).toBe(i);
    }
    expect(indexAt(layout, count, -1, 5)).toBeUndefined();
    expect(indexAt(layout, count, 5, layout.total + 50)).toBeUndefined();
  });

  test("few nodes are large, many are small, and a thousand fit without scrolling", () => {
    expect(layOut(3, 734, 400)).toMatchObject({ size: "large", columns: 3 });
    expect(layOut(30, 734, 400).size).toBe("medium");
    expect(layOut(1000, 734, 400).size).toBe("small");
    expect(layOut(1000, 734, 480).total).toBeLessThanOrEqual(480.5);
  });

  test("arrow keys stay among the tiles", () => {
    const layout = { ...layOut(10, 734, 400), columns: 4 };
    expect(indexAfter(layout, 10, 1, "ArrowDown")).toBe(5);
    expect(indexAfter(layout, 10, 1, "ArrowUp")).toBe(1);
    expect(indexAfter(layout, 10, 9, "ArrowRight")).toBe(9);
    expect(indexAfter(layout, 10, 3, "End")).toBe(9);
    expect(indexAfter(layout, 10, 3, "x")).toBeUndefined();
  });

  test("the body of a tile is inside of it", () => {
    for (const count of [3, 30, 1000]) {
      const layout = layOut(count, 734, 400);
      const box = boxOf(layout, 1);
      const body = bodyOf(layout, box);
      expect(body.y).toBeGreaterThan(box.y);
      expect(body.y + body.height).toBeLessThan(box.y + box.height + 0.01);
    }
  });
});

describe("blocks", () => {
  test("of a type: what others use, then the applications together, as shares of the node", () => {
    const blocks = plain(cluster(), "n1", "vcore");
    expect(blocks.map((block) => block.ask?.id)).toEqual([undefined, "web-1", "web-2", "train-1"]);
    expect(blocks.map((block) => block.to)).toEqual([0.125, 0.375, 0.625, 0.75]);
    expect(useOf(node(cluster(), "n1"), "vcore")).toBe(0.75);
  });

  test("of the dominant type: as high as the fullest type", () => {
    expect(useOf(node(cluster(), "n1"), "")).toBe(0.75);
    expect(plain(cluster(), "n1", "").at(-1)?.to).toBeCloseTo(0.75);
    expect(plain(cluster(), "n2", "")).toEqual([]);
  });
});

describe("what lights up", () => {
  const model = cluster();
  const litAsks = (lit: ReturnType<typeof litBy>) => [...model.asks.values()].filter((ask) => lit?.ask(ask)).map((ask) => ask.id);

  test("nothing is picked: all is equal", () => expect(litBy(undefined, undefined, model)).toBeUndefined());
  test("a queue: with those below it", () => expect(litAsks(litBy({ kind: "queue", id: "root.research" }, undefined, model))).toEqual(["train-1"]));
  test("an application", () => expect(litAsks(litBy({ kind: "app", id: "web" }, undefined, model))).toEqual(["web-1", "web-2"]));
  test("an ask, with a ring around its node", () => {
    const lit = litBy({ kind: "ask", id: "web-2" }, undefined, model);
    expect(litAsks(lit)).toEqual(["web-2"]);
    expect(lit?.node(node(model, "n1"))).toBe(true);
    expect(lit?.node(node(model, "n2"))).toBe(false);
  });
  test("a dry run goes before what is picked", () => {
    const lit = litBy({ kind: "app", id: "web" }, { node: "n1", ask: "x", victims: ["train-1"] }, model);
    expect(litAsks(lit)).toEqual(["train-1"]);
  });
});

test("nodes and allocations in words", () => {
  const model = cluster();
  model.apply({ seq: 8, at: "0s", type: "preemption", id: "train-1", for: "web-9", node: "n1", queue: "root.research.text" });
  const n1 = node(model, "n1");
  expect(describeNode(n1, 1, 2)).toBe("n1, node 1 of 2. 75% full: 6 of 8 vcore, 20 GiB of 32 GiB memory. 3 allocations.");
  expect(stateOf(node(model, "n2"))).toBe("drained");
  expect(stateOf({ ...node(model, "n2"), schedulable: true, kept: "a", reserved: "b" })).toBe("kept for a, 0 told to leave; reserved for b");
  const block = plain(model, "n1", "vcore").find(({ ask }) => ask?.id === "train-1");
  expect(tipOf(n1, block, model)).toEqual({ title: "train-1", lines: ["train in root.research.text", "1 vcore, 16 GiB memory on n1", "told to leave for web-9"] });
});

test("the members of a gang stand together, with how it stands in words", () => {
  const model = createModel();
  const asked = (id: string, gang?: string) => [
    { type: "ask.add", at: "0s", id, app: "a", resources: { vcore: 1 }, ...(gang && { gang, gang_min: 2 }) },
    { seq: 1, at: "0s", type: "allocation", id, app: "a", node: "n1" },
  ] as const satisfies readonly Line[];
  const lines: readonly Line[] = [
    { type: "node.add", at: "0s", id: "n1", capacity: { vcore: 8 } }, { type: "app.add", at: "0s", id: "a", queue: "root.a" }, { seq: 1, at: "0s", type: "app.accepted", id: "a", queue: "root.a" },
    ...asked("g1", "g"), ...asked("alone"), ...asked("h1", "h"), ...asked("g2", "g"), ...asked("g3", "g"),
  ];
  for (const line of lines) model.apply(line);
  const blocks = () => plain(model, "n1", "vcore");
  expect(blocks().map(({ ask }) => ask?.id)).toEqual(["g1", "g2", "g3", "alone", "h1"]);
  expect(runsOf(blocks()).map(({ gang, from, to }) => [gang?.id, from, to])).toEqual([["g", 0, 0.375], [undefined, 0.375, 0.5], ["h", 0.5, 0.625]]);
  expect(marksIn(model)).toEqual(["gang"]);
  const told = () => tipOf(node(model, "n1"), blocks()[0], model).lines;
  expect(told()).toContain("gang g: whole: 3 of 2 members run, 1 of them surplus");
  model.apply({ seq: 2, at: "1s", type: "gang.broken", app: "a", gang: "g", allocated: 1, min: 2, reason: "failed" });
  expect(told()[2]).toContain("gang g: broken: ");
  expect(marksIn(model)).toEqual(["gang", "broken"]);
  expect(groupsBy("gang", model).of(blocks()[0]?.ask ?? never(), node(model, "n1"))).toBe("a / g");
  expect(busiest(model, "vcore", 3, groupsBy("gang", model)).map(({ group }) => group)).toEqual(["a / g", "no gang", "a / h"]);
});

function never(): never {
  throw new Error("no ask");
}

test("nodes by the domains of the topology", () => {
  const levels = levelsOf({ topology: [{ name: "block", attribute: "b" }, { name: "rack", attribute: "r" }], others: [{ partition: "gpu" }] });
  if (!levels) throw new Error("no levels");
  const at = (id: string, attributes: Record<string, string>, partition?: string) => ({ id, attributes, partition });
  expect(domainOf(at("x", { r: "r1" }), levels)).toBe("in no domain");
  const nodes = [at("n1", { b: "b2", r: "r1" }), at("n2", {}), at("n3", { b: "b1", r: "r10" }), at("n4", { b: "b1", r: "r9" }), at("n5", { b: "b1" }), at("n6", { b: "b1", r: "r9" }), at("n7", { b: "b1", r: "r9" }, "gpu")];
  expect(byDomain(nodes, levels).map(({ name, nodes: there }) => `${name}: ${there.map(({ id }) => id).join(" ")}`))
    .toEqual(["b1: n5", "b1 / r9: n4 n6", "b1 / r10: n3", "b2 / r1: n1", "in no domain: n2 n7"]);
  expect(levelsOf({})).toBeUndefined();
});

describe("colours by", () => {
  const blocks = (by: Parameters<typeof groupsBy>[0], model = cluster()) => blocksOf(node(model, "n1"), "vcore", groupsBy(by, model)).slice(1);
  const told = (by: Parameters<typeof groupsBy>[0]) => blocks(by).map(({ ask, group }) => `${ask?.id ?? ""}: ${group ?? ""}`);

  test("queue", () => {
    expect(told("queue")).toEqual(["web-1: root.prod", "web-2: root.prod", "train-1: root.research.text"]);
    const [one, two, other] = blocks("queue").map(({ hue }) => hue);
    expect(one).toEqual(two);
    expect(one).not.toEqual(other);
  });

  test("priority, those of one priority together", () => {
    expect(told("priority")).toEqual(["web-1: priority 0", "train-1: priority 0", "web-2: priority 7"]);
  });

  test("use of the node, the fuller the darker", () => {
    expect(new Set(blocks("use").map(({ group }) => group))).toEqual(new Set(["half full and more"]));
    const model = cluster();
    for (const [used, group] of [[7000, "half full and more"], [8000, "90% full and more"], [1000, "less than half full"]] as const) {
      Object.assign(node(model, "n1"), { occupied: {}, used: { vcore: used } });
      expect(new Set(blocks("use", model).map((block) => block.group))).toEqual(new Set([group]));
    }
    expect(["less than half full", "half full and more", "90% full and more"].map((group) => groupsBy("use", model).hue(group).variant)).toEqual([1, 0, 2]);
  });

  test("any of them fill a node as high", () => {
    for (const by of ["application", "gang", "queue", "priority", "use"] as const) expect(blocks(by).at(-1)?.to).toBeCloseTo(0.75);
  });

  test("what the legend counts", () => {
    const model = cluster();
    expect(busiest(model, "vcore", 7, groupsBy("queue", model))).toEqual([{ group: "root.prod", share: 0.25 }, { group: "root.research.text", share: 1 / 16 }]);
    expect(busiest(model, "vcore", 7, groupsBy("priority", model))).toEqual([{ group: "priority 0", share: 3 / 16 }, { group: "priority 7", share: 1 / 8 }]);
  });
});

test("the legend: who uses most, and which marks there are", () => {
  const model = cluster();
  expect(busiest(model, "vcore", 7)).toEqual([{ group: "web", share: 0.25 }, { group: "train", share: 1 / 16 }]);
  expect(busiest(model, "memory", 1)).toEqual([{ group: "train", share: 0.25 }]);
  expect(marksIn(model)).toEqual(["drained", "others"]);
});
