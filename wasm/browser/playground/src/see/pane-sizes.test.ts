// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("the sizes of panes", () => {
  beforeEach(() => {
    vi.resetModules();
    localStorage.clear();
  });
  afterEach(() => vi.restoreAllMocks());

  it("are kept from visit to visit, within their bounds", async () => {
    const { resize } = await import("./pane-sizes");
    resize("tree", 99);
    resize("low", 33.33);
    resize("side", 20);
    resize("side", undefined);
    vi.resetModules();
    const { bounds, paneSizes } = await import("./pane-sizes");
    expect(paneSizes.value).toEqual({ tree: bounds.tree[1], low: 33.3 });
  });

  it("follow what was chosen, and are their own again without it", async () => {
    const { resize, sizePanes } = await import("./pane-sizes");
    const element = document.createElement("div");
    const end = sizePanes(element);
    expect(element.style.cssText).toBe("");
    resize("tree", 20);
    resize("time", 40);
    const values = (...names: string[]) => names.map((name) => element.style.getPropertyValue(name));
    expect(values("--tree", "--time", "--stream", "--side")).toEqual(["20%", "40fr", "60fr", ""]);
    resize("tree", undefined);
    resize("time", undefined);
    expect(element.style.cssText).toBe("");
    end();
  });

  it.each(["{", "null", "[]", '"text"', '{"tree":"wide","other":3}'])("take %s for none at all", async (text) => {
    localStorage.setItem("quern-panes", text);
    expect((await import("./pane-sizes")).paneSizes.value).toEqual({});
  });

  it("last as long as the page where nothing may be kept", async () => {
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => { throw new Error("denied"); });
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => { throw new Error("denied"); });
    const { paneSizes, resize } = await import("./pane-sizes");
    resize("time", 50);
    expect(paneSizes.value).toEqual({ time: 50 });
  });
});
