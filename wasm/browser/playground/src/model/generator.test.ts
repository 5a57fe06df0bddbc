import { describe, expect, test } from "vitest";
import { defaultWorkload, generate, type WorkloadOptions } from "./generator";

const workload: WorkloadOptions = {
  ...defaultWorkload(["root.a", "root.b"], ["vcore", "memory"]),
  nodes: { count: 3, capacity: { vcore: 8, memory: "32Gi" }, prefix: "n", zones: ["a", "b"] },
};

interface Row { type: string; at: string; id: string; queue?: string; app?: string; partition?: string; attributes?: { zone?: string }; run?: string; count?: number; priority?: number }

function rows(o: WorkloadOptions): Row[] {
  return generate(o).trimEnd().split("\n").slice(1).map((line) => JSON.parse(line) as Row);
}

describe("a generated workload", () => {
  test("is the same to the byte for a seed, and another for another", () => {
    expect(generate(workload)).toBe(generate(workload));
    expect(generate({ ...workload, seed: 2 })).not.toBe(generate(workload));
    expect(generate({ ...workload, rate: 0.2, nodes: undefined })).toBe(
      '{"type":"journal","version":1}\n'
      + '{"at":"1.641s","type":"app.add","id":"w1-1","queue":"root.b"}\n'
      + '{"at":"1.641s","type":"ask.add","id":"w1-1","app":"w1-1","resources":{"vcore":4,"memory":"8Gi"},"priority":10,"run":"159s","count":2}\n'
      + '{"at":"376.244s","type":"app.add","id":"w1-2","queue":"root.b"}\n'
      + '{"at":"376.244s","type":"ask.add","id":"w1-2","app":"w1-2","resources":{"vcore":1,"memory":"2Gi"},"priority":10,"run":"133s","count":3}\n',
    );
  });

  test("has the nodes first, then as many applications as asked for, in the order of time", () => {
    const list = rows(workload);
    expect(list.slice(0, 3).map((row) => row.id)).toEqual(["n1", "n2", "n3"]);
    expect(list.filter((row) => row.type === "app.add")).toHaveLength(120);
    const times = list.map((row) => Number(row.at.slice(0, -1)));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(600);
  });

  test("stays within its ranges, and draws everything that has a weight", () => {
    const list = rows({ ...workload, asks: [2, 4], run: [10, 12], start: 100 }).filter((row) => row.type !== "node.add");
    const asks = list.filter((row) => row.type === "ask.add");
    expect(new Set(asks.map((row) => row.count))).toEqual(new Set([2, 3, 4]));
    expect(new Set(asks.map((row) => row.run))).toEqual(new Set(["10s", "11s", "12s"]));
    expect(new Set(asks.map((row) => row.priority ?? 0))).toEqual(new Set([0, 10]));
    expect(new Set(list.map((row) => row.queue))).toEqual(new Set(["root.a", "root.b", undefined]));
    expect(Math.min(...list.map((row) => Number(row.at.slice(0, -1))))).toBeGreaterThanOrEqual(100);
  });

  test("never draws what has no weight beside what has", () => {
    const list = rows({ ...workload, queues: [{ path: "root.a", weight: 0 }, { path: "root.b", weight: 1 }] });
    expect(list.filter((row) => row.queue === "root.a")).toEqual([]);
    const even = rows({ ...workload, queues: [{ path: "root.a", weight: 0 }, { path: "root.b", weight: 0 }] });
    expect(new Set(even.map((row) => row.queue))).toEqual(new Set(["root.a", "root.b", undefined]));
  });

  test("gives every application and ask an ID of its own, with the seed in it", () => {
    const ids = [7, 8].flatMap((seed) => rows({ ...workload, seed, nodes: undefined }).flatMap((row) =>
      row.type === "app.add" ? [row.id] : row.count ? Array.from({ length: row.count }, (_, i) => `${row.id}-${i + 1}`) : [row.id]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^w[78]-\d+(-\d+)?$/.test(id))).toBe(true);
  });

  test("goes to the partition of each queue, with nodes for each in turn", () => {
    const list = rows({ ...workload, queues: [{ path: "root.a", weight: 1 }, { path: "[gpu]root.a", weight: 1 }] });
    expect(list.filter((row) => row.type === "node.add").map(({ id, partition, attributes }) => [id, partition, attributes?.zone])).toEqual([["n1", undefined, "a"], ["n2", "gpu", "a"], ["n3", undefined, "b"]]);
    const apps = list.filter((row) => row.type === "app.add");
    expect(new Set(apps.map((row) => row.queue))).toEqual(new Set(["root.a"]));
    expect(new Set(apps.map((row) => row.partition))).toEqual(new Set([undefined, "gpu"]));
  });

  test("of no queues is empty", () => {
    expect(generate({ ...workload, nodes: undefined, queues: [] })).toBe('{"type":"journal","version":1}\n');
  });

  test("asks for what the nodes have", () => {
    const resources = (types: string[]) => defaultWorkload(["root.a"], types).sizes[0]?.resources;
    expect(resources(["vcore", "memory"])).toEqual({ vcore: 1, memory: "2Gi" });
    expect(resources(["memory"])).toEqual({ memory: "2Gi" });
    expect(resources(["slots"])).toEqual({ slots: 1 });
    expect(resources([])).toEqual({ vcore: 1, memory: "2Gi" });
  });
});
