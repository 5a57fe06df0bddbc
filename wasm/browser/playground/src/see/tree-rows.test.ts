import { describe, expect, it } from "vitest";
import type { QueueDump } from "../engine/types";
import type { AppModel, Model } from "../model/model";
import { moveOf, typedTo } from "./tree-keys";
import { badgesOf, rowsOf, settingsOf, type QueueRow, type TreeChoices } from "./tree-rows";

const root: QueueDump = { path: "root", max: { vcore: 16_000, memory: 2 ** 35 }, used: { vcore: 4000 }, pendingAsks: 3 };
const prod: QueueDump = { path: "root.prod", leaf: true, used: { vcore: 4000 }, guaranteed: { vcore: 4000 }, max: { vcore: 8000 }, headroom: { vcore: 4000 }, running: 1, maxRunning: 2, appSort: "fair", hasPriority: true, priority: -3, fairShare: 250_000_000 };
const batch: QueueDump = { path: "root.batch", leaf: true };

function app(id: string, queue: string, state = "Running"): AppModel {
  return { id, queue, state, submitted: 0, asks: new Map(), gangs: new Map() };
}

function modelWith(...apps: AppModel[]): Model {
  return { apps: new Map(apps.map((one) => [one.id, one])) } as unknown as Model;
}

const all: TreeChoices = { shown: "vcore", isOpen: () => true, most: () => 2 };

describe("rows of the tree", () => {
  it("lists queues in their order, and applications below their leaf, those that are over last", () => {
    const rows = rowsOf([root, prod, batch], modelWith(app("old", "root.prod", "Completed"), app("web", "root.prod"), app("job", "root.batch")), all);
    expect(rows.map((row) => [row.id, row.place.level])).toEqual([["root", 1], ["root.prod", 2], ["web", 3], ["old", 3], ["root.batch", 2], ["job", 3]]);
    expect(rows[2]?.place).toEqual({ level: 3, at: 1, of: 2, open: undefined });
  });

  it("shows partitions, queues that rules made, and what is over its max", () => {
    const list: QueueDump[] = [root, { ...prod, max: { vcore: 3000 }, dynamic: true }, { path: "[gpu]root", partition: "gpu", max: { vcore: 1000 }, used: { vcore: 2000 } }, { path: "[gpu]root.prod", partition: "gpu", leaf: true }];
    const rows = rowsOf(list, modelWith(app("web", "root.prod"), app("far", "[gpu]root.prod")), all);
    expect(rows.map((row) => [row.id, row.place.level])).toEqual([["root", 1], ["root.prod", 2], ["web", 3], ["[gpu]root", 1], ["[gpu]root.prod", 2], ["far", 3]]);
    expect(rows.flatMap((row) => (row.kind === "queue" ? [[row.name, ...row.badges.map((badge) => badge.text)]] : []))).toEqual([
      ["root"], ["prod", "dynamic", "over its max: 1 vcore"], ["[gpu]root", "partition"], ["prod"],
    ]);
  });

  it("stands in one row for the applications beyond the first few", () => {
    const rows = rowsOf([root, batch], modelWith(app("a", "root.batch"), app("b", "root.batch"), app("c", "root.batch"), app("d", "root.batch")), all);
    expect(rows.at(-1)).toMatchObject({ kind: "more", queue: "root.batch", count: 2 });
  });

  it("leaves out what is below a closed queue", () => {
    const rows = rowsOf([root, prod], modelWith(app("web", "root.prod")), { ...all, isOpen: (queue) => !queue.leaf });
    expect(rows.map((row) => [row.id, row.place.open])).toEqual([["root", true], ["root.prod", false]]);
  });

  it("says what a queue uses of what it may", () => {
    const row = rowsOf([root, prod], modelWith(), all)[1] as QueueRow;
    expect(row).toMatchObject({ name: "prod", headroom: "4", running: "1 of 2 running", priority: -3, sort: "fair", share: "0.25" });
    expect(row.use).toMatchObject({ used: 4000, full: 8000, guaranteed: 4000, max: 8000, text: { used: "4 vcore", guaranteed: "4", max: "8" }, label: "4 vcore in use, guaranteed 4, max 8" });
  });

  it("shortens large amounts, which its label has in full", () => {
    const fleet: QueueDump = { path: "root.fleet", leaf: true, used: { vcore: 36_494_000 }, guaranteed: { vcore: 9_999_000 }, max: { vcore: 1_234_567_000 } };
    const row = rowsOf([root, fleet], modelWith(), all)[1] as QueueRow;
    expect(row.use.text).toEqual({ used: "36.5k vcore", guaranteed: "9,999", max: "16" });
    expect(row.use.label).toBe("36,494 vcore in use, guaranteed 9,999, max 1,234,567");
  });

  it("takes the least max on the way to the root where a queue sets none", () => {
    const row = rowsOf([root, batch], modelWith(), all)[1] as QueueRow;
    expect(row.use).toMatchObject({ used: 0, full: 16_000, max: undefined, text: { used: "0 vcore", guaranteed: "–", max: "16" } });
  });

  it("shows the dominant type where none is chosen", () => {
    const fat: QueueDump = { path: "root.fat", leaf: true, used: { vcore: 1000, memory: 2 ** 34 } };
    const row = rowsOf([root, fat], modelWith(), { ...all, shown: "" })[1] as QueueRow;
    expect(row.use).toMatchObject({ type: "memory", full: 2 ** 35, text: { used: "16 GiB" } });
  });

  it("labels what decides something", () => {
    const properties = { "priority.offset": "-5", "priority.policy": "fence", "preemption.policy": "fence", "preemption.intra-queue": "enabled" };
    const queue: QueueDump = { path: "root.x", leaf: true, state: "draining", properties };
    expect(badgesOf(queue).map((badge) => badge.text)).toEqual(["draining"]);
    expect(settingsOf(queue).map((badge) => badge.text)).toEqual(["offset −5", "priority fence", "preemption fence", "intra-queue"]);
    expect(badgesOf({ path: "root.x", state: "active" })).toEqual([]);
  });
});

describe("keys of the tree", () => {
  const rows = rowsOf([root, prod, batch], modelWith(app("web", "root.prod")), all);
  const press = (key: string, active: string, shiftKey = false) => moveOf({ key, shiftKey }, rows, active);

  it("goes up and down, and stays at the ends", () => {
    expect(press("ArrowDown", "root")).toEqual({ does: "go", row: "root.prod" });
    expect(press("ArrowUp", "root")).toEqual({ does: "go", row: "root" });
    expect(press("End", "root")).toEqual({ does: "go", row: "root.batch" });
    expect(press("Home", "web")).toEqual({ does: "go", row: "root" });
  });

  it("goes in and out, and opens and closes", () => {
    expect(press("ArrowRight", "root.prod")).toEqual({ does: "go", row: "web" });
    expect(press("ArrowLeft", "web")).toEqual({ does: "go", row: "root.prod" });
    expect(press("ArrowLeft", "root.prod")).toEqual({ does: "close", row: "root.prod" });
    expect(press("ArrowRight", "root.batch")).toEqual({ does: "go", row: "root.batch" });
  });

  it("picks, and asks for the menu", () => {
    expect(press("Enter", "web")).toEqual({ does: "pick", row: "web" });
    expect(press("F10", "web", true)).toEqual({ does: "act", row: "web" });
    expect(press("F10", "web")).toBeUndefined();
  });

  it("finds a row by the letters typed, in turn", () => {
    expect(typedTo(rows, "root", "b")).toBe("root.batch");
    expect(typedTo(rows, "root.batch", "w")).toBe("web");
    expect(typedTo(rows, "root", "pro")).toBe("root.prod");
    expect(typedTo(rows, "root", "z")).toBeUndefined();
  });
});
