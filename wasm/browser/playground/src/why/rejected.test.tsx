// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, it, vi } from "vitest";
import { duration } from "../ui/format";
import { Around } from "./around";
import { Rejected } from "./rejected";

it("lists what was rejected by reason, and leads to an example", async () => {
  const place = document.createElement("div");
  const pick = vi.fn();
  const show = (of: Parameters<typeof Rejected>[0]["of"]) => act(() => {
    render(<Around.Provider value={{ pick, now: () => 0, time: duration, queue: () => undefined }}><Rejected of={of} /></Around.Provider>, place);
  });
  await show([]);
  expect(place.textContent).toBe("");
  await show([{ type: "ask.rejected", reason: "duplicate", count: 1200, example: "k" }, { type: "ignored", reason: "odd", count: 1, example: "x" }]);
  expect([...place.querySelectorAll("tbody tr")].map((row) => row.textContent)).toEqual(["Asks rejectedduplicate: the ID is taken1,200k", "Inputs ignoredodd1x"]);
  place.querySelector("button")?.click();
  expect(pick).toHaveBeenCalledWith({ kind: "ask", id: "k" });
});
