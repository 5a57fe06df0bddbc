// @vitest-environment jsdom
import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, it, vi } from "vitest";
import type { Decision } from "../engine/types";
import { rowHeight, Rows, type RowProps } from "./stream-rows";

vi.stubGlobal("ResizeObserver", class { observe() { /* the height stays */ } disconnect() { /* as it was */ } });

const many = 100_000;
// jsdom lays nothing out.
Object.defineProperty(HTMLElement.prototype, "clientHeight", { value: 400 });
Object.defineProperty(HTMLElement.prototype, "scrollHeight", { value: many * rowHeight });
const decisions = Array.from({ length: many }, (_, i): Decision => ({ seq: i + 1, at: `${i}s`, type: "allocation", id: `a${i + 1}`, node: "n1" }));
let drawn = 0;
const Row = ({ decision, index, of }: RowProps) => {
  drawn++;
  return <li data-seq={decision.seq} aria-posinset={index + 1} aria-setsize={of} />;
};

it("of 100,000 decisions only those in sight are there, wherever the list is scrolled", async () => {
  const place = document.createElement("div");
  const follow = signal(false);
  await act(() => { render(<Rows list={signal(decisions)} follow={follow} row={Row} picked={undefined} />, place); });
  const rows = () => [...place.querySelectorAll("li")];
  expect(rows().length).toBeLessThan(40);
  expect(rows()[0]?.dataset.seq).toBe("1");
  const box = place.querySelector(".stream-scroll");
  if (!box) throw new Error("expected a list that scrolls");
  drawn = 0;
  await act(() => {
    box.scrollTop = 50_000 * rowHeight;
    box.dispatchEvent(new Event("scroll"));
  });
  expect(rows().some((row) => row.dataset.seq === "50001")).toBe(true);
  expect(rows().length).toBeLessThan(40);
  expect(drawn).toBeLessThan(80);
  expect(rows()[0]?.getAttribute("aria-setsize")).toBe(String(many));
});
