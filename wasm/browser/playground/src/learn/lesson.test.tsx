// @vitest-environment jsdom
import { render } from "preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Prose } from "./prose";

function drawn(text: string): HTMLElement {
  const root = document.createElement("div");
  render(<Prose text={text} />, root);
  return root;
}

describe("the markup of lessons", () => {
  it("knows paragraphs, lists, code and strong words", () => {
    expect(drawn("One **two** `three`.\n\n- a `b`\n- c").innerHTML)
      .toBe("<p>One <strong>two</strong> <code>three</code>.</p><ul><li>a <code>b</code></li><li>c</li></ul>");
  });

  it("makes nothing else of anything", () => {
    const root = drawn("<img src=x onerror=alert(1)> **<b>bold</b>** `<script>`");
    expect(root.querySelector("img, script, b")).toBeNull();
    expect(root.textContent).toBe("<img src=x onerror=alert(1)> <b>bold</b> <script>");
  });
});

describe("progress", () => {
  beforeEach(() => {
    vi.resetModules();
    localStorage.clear();
  });
  afterEach(() => vi.restoreAllMocks());

  it("is kept, and never goes back", async () => {
    const { see, seen } = await import("./progress");
    see("fifo", 2);
    see("fifo", 1);
    expect(seen.value).toEqual({ fifo: 2 });
    vi.resetModules();
    expect((await import("./progress")).seen.value).toEqual({ fifo: 2 });
  });

  it.each(["{", "null", "[]", '"text"', '{"fifo":"many"}'])("takes %s for none at all", async (kept) => {
    localStorage.setItem("quern.lessons", kept);
    expect((await import("./progress")).seen.value).toEqual({});
  });

  it("lasts as long as the page where nothing may be kept", async () => {
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => { throw new Error("denied"); });
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => { throw new Error("denied"); });
    const { see, seen } = await import("./progress");
    see("fifo", 1);
    expect(seen.value).toEqual({ fifo: 1 });
  });
});
