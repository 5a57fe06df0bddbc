import { describe, expect, it } from "vitest";
import { lastName, parentPath, shownPath, splitPath } from "./paths";

describe("paths of queues", () => {
  it.each([
    [undefined, "root", "root", "", "root"],
    [undefined, "root.a.b", "root.a.b", "root.a", "b"],
    ["gpu", "root", "[gpu]root", "", "[gpu]root"],
    ["gpu", "root.a", "[gpu]root.a", "[gpu]root", "a"],
    ["a.b]c", "root.a", "[a.b]c]root.a", "[a.b]c]root", "a"],
    ["a.b]c", "root", "[a.b]c]root", "", "[a.b]c]root"],
  ])("of partition %s, %s is shown as %s", (partition, path, shown, above, name) => {
    expect(shownPath(partition, path)).toBe(shown);
    expect(splitPath(shown)).toEqual({ ...(partition && { partition }), path });
    expect(parentPath(shown)).toBe(above);
    expect(lastName(shown)).toBe(name);
  });

  it("of nothing is nothing", () => { expect(shownPath("gpu", undefined)).toBeUndefined(); });
});
