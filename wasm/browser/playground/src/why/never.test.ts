import { describe, expect, it } from "vitest";

import type { Bound } from "../engine/types";
import { never } from "./never";

const overMax: Bound = { queue: "root.a", type: "vcore", needs: 999_000, most: 4000 };
const overNodes: Bound = { type: "vcore", needs: 999_000, most: 8000 };
const tooSmall = [{ reason: "too-small", detail: "vcore", nodes: 2 }];

describe("an ask that can never run", () => {
  it("is larger than a max on its way up and than every node", () => {
    expect(never({ never: [overMax, overNodes], nodes: tooSmall })).toEqual({
      because: ["it asks for 999 vcore, and the max of root.a is 4", "it asks for 999 vcore, and the largest node has 8"],
      help: "Waiting would not help: only a smaller ask would, or a higher max of root.a and a larger node.",
    });
  });

  it("is larger than a max in two types, which one higher max would help", () => {
    const found = never({ never: [{ ...overMax, type: "memory", needs: 10 * 2 ** 30, most: 8 * 2 ** 30 }, overMax] });
    expect(found?.because[0]).toBe("it asks for 10 GiB memory, and the max of root.a is 8 GiB");
    expect(found?.help).toMatch(/only a smaller ask would, or a higher max of root\.a\.$/);
  });

  it("wants a type that no node has", () => {
    expect(never({ never: [{ type: "nvidia.com/gpu", needs: 1 }], nodes: tooSmall })?.because).toEqual(["it asks for 1 nvidia.com/gpu, and no node has any"]);
  });

  it("wants together what nodes have apart", () => {
    expect(never({ never: [{}], nodes: tooSmall })?.because).toEqual(["no node has enough of all types at once, even when empty"]);
  });

  it.each(["not-the-required-node", "constraint", "draining"])("is compared with the nodes that it may go to where others are %s", (reason) => {
    const nodes = [{ reason, nodes: 1 }, ...tooSmall];
    expect(never({ never: [overNodes, {}], nodes })).toEqual({
      because: ["it asks for 999 vcore, and the largest node that it may go to has 8", "no node that it may go to has enough of all types at once, even when empty"],
      help: "Waiting would not help: only a smaller ask would, or a larger node that it may go to.",
    });
  });

  it("is not one that the scheduler knows no bound of", () => {
    expect(never({ nodes: tooSmall })).toBeUndefined();
    expect(never({ never: [] })).toBeUndefined();
  });
});
