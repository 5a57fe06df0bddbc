import { describe, expect, it } from "vitest";
import type { Config } from "../engine/types";
import { templateFor } from "./templates";

const template = (most: number) => ({ maxApplications: most });
const config: Config = {
  partition: "default",
  root: { name: "root", path: "root", template: template(1), children: [{ name: "a", path: "root.a" }, { name: "users", path: "root.users", template: template(2), children: [{ name: "ab", path: "root.users.ab", template: template(3) }] }] },
  others: [{ partition: "gpu", root: { name: "root", path: "root", children: [{ name: "users", path: "root.users", template: template(4) }] } }],
};

describe("the child template of a queue", () => {
  it.each([
    ["root.users", "root.users", 2],
    ["root.users.ann", "root.users", 2],
    ["root.users.ab.c", "root.users.ab", 3],
    ["root.users.abc", "root.users", 2],
    ["root.a.made.deep", "root", 1],
    ["[gpu]root.users.ann", "[gpu]root.users", 4],
  ])("%s: that of %s", (path, of, most) => { expect(templateFor(config, path)).toEqual({ of, template: template(most) }); });

  it("is none where no queue above has one, or nothing is configured", () => {
    expect(templateFor(config, "[gpu]root.other")).toBeUndefined();
    expect(templateFor(config, "[none]root.users")).toBeUndefined();
    expect(templateFor(undefined, "root.users")).toBeUndefined();
  });
});
