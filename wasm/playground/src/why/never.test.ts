import { describe, expect, it } from "vitest";

import type { QueueDump } from "../engine/types";
import { never, neverHelp, neverWords } from "./never";

const queues: readonly QueueDump[] = [
  { path: "root", state: "active", max: { vcore: 16_000 } },
  { path: "root.a", state: "active", max: { vcore: 4000, memory: 8 * 2 ** 30 } },
  { path: "root.a.b", state: "active" },
];
const node = (vcore: number, memory = 0, others = 0) => ({ capacity: { vcore, memory: memory * 2 ** 30 }, occupied: { vcore: others } });
const asked = { queue: "root.a.b", queues, nodes: [node(8000, 4), node(6000, 16, 1000)] };
const words = (list: ReturnType<typeof never>) => list.map(neverWords);

describe("an ask that can never run", () => {
  it("is larger than a max on its way up and than every node, type by type", () => {
    const found = never({ ...asked, wants: { vcore: 999_000, memory: 10 * 2 ** 30 } });
    expect(words(found)).toEqual([
      "it wants 999 vcore, and the max of root.a is 4",
      "it wants 10 GiB memory, and the max of root.a is 8 GiB",
      "it wants 999 vcore, and the largest node has 8",
    ]);
    expect(neverHelp(found)).toBe("Nothing that ends would help: only a smaller ask would, or a higher max of root.a and a larger node.");
  });

  it("wants a type that no node has", () => {
    expect(words(never({ ...asked, wants: { "nvidia.com/gpu": 1 } }))).toEqual(["it wants 1 nvidia.com/gpu, and no node has any"]);
  });

  it("wants together what nodes have apart, with what others use there", () => {
    expect(words(never({ ...asked, queue: "root", wants: { vcore: 5500, memory: 10 * 2 ** 30 } }))).toEqual(["no node has all that it wants at once, even when nothing runs there"]);
    expect(never({ ...asked, queue: "root", wants: { vcore: 5000, memory: 10 * 2 ** 30 } })).toEqual([]);
  });

  it("is too large for the nodes that it may go to", () => {
    const against = [{ reason: "not-the-required-node", nodes: 1 }, { reason: "too-small", detail: "vcore", nodes: 1 }];
    expect(words(never({ ...asked, wants: { vcore: 2000 }, against }))).toEqual(["no node that it may go to has what it wants, even when nothing runs there"]);
    expect(never({ ...asked, wants: { vcore: 2000 }, against: [...against, { reason: "draining", nodes: 1 }] })).toEqual([]);
    expect(never({ ...asked, wants: { vcore: 2000 }, against: [{ reason: "constraint", detail: "zone", nodes: 2 }] })).toEqual([]);
  });

  it("is not one that only waits, nor one that waits for the first node", () => {
    expect(never({ ...asked, wants: { vcore: 4000 }, against: [{ reason: "full", detail: "vcore", nodes: 2 }] })).toEqual([]);
    expect(never({ ...asked, wants: { vcore: 1000 }, nodes: [] })).toEqual([]);
    expect(words(never({ ...asked, wants: { vcore: 9000 }, nodes: [] }))).toEqual(["it wants 9 vcore, and the max of root.a is 4"]);
  });
});
