// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SpansChart, type Opened } from "./chart";
import type { Spans } from "./span";
import { SpansTable } from "./table";

const minute = 60e9;
const of: Spans = {
  now: 10 * minute, nodes: ["n1", "n2", "n3"],
  spans: [
    { ask: "run", app: "a", queue: "root.a", node: "n1", kind: "runs", from: 0, until: 60 * minute, why: "" },
    { ask: "open", app: "a", queue: "root.b", node: "n2", kind: "runs", from: minute, until: undefined, why: "" },
    { ask: "late", app: "b", queue: "root.b", node: "n3", kind: "late", from: 0, until: 5 * minute, why: "" },
    { ask: "wide", app: "c", queue: "root.a", node: "n1", kind: "planned", from: 60 * minute, until: 90 * minute, why: "it starts earlier" },
  ],
  windows: [{ window: "repair", open: false, from: 20 * minute, until: 30 * minute, nodes: ["n2"], names: "" }],
};
const say = (at: number) => `${at / minute}m`;
const opened: Opened[] = [];
let place: HTMLElement;

beforeEach(() => {
  opened.length = 0;
  place = document.body.appendChild(document.createElement("div"));
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal("ResizeObserver", class {
    private readonly hear: (entries: object[]) => void;
    constructor(hear: (entries: object[]) => void) { this.hear = hear; }
    observe() { this.hear([{ contentRect: { width: 632, height: 300 } }]); }
    disconnect() { return undefined; }
  });
});
afterEach(() => {
  render(null, place);
  place.remove();
  vi.unstubAllGlobals();
});

const show = (what: Spans) => act(() => { render(<SpansChart of={what} say={say} onOpen={(one) => opened.push(one)} />, place); });
const room = () => place.querySelector<HTMLElement>("[role=application]");
const press = (key: string) => act(() => { room()?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); });
const said = () => place.querySelector(".spans-said")?.textContent;

it("draws what runs, what is planned, what passed its promise, and windows", async () => {
  await show(of);
  expect([...place.querySelectorAll(".spans-one")].map((one) => one.getAttribute("class"))).toEqual(["spans-one spans-runs spans-hue-0", "spans-one spans-planned spans-hue-0", "spans-one spans-runs spans-hue-0", "spans-one spans-late spans-hue-0"]);
  expect(place.querySelectorAll(".spans-passed")).toHaveLength(1);
  expect(place.querySelectorAll(".spans-fades")).toHaveLength(1);
  expect(place.querySelectorAll(".spans-band")).toHaveLength(1);
  expect([...place.querySelectorAll(".spans-legend li")].map((one) => one.textContent)).toEqual(["Runs, with its promised end", "Promised end has passed", "Planned start", "Promises no end", "Window", "Now"]);
  expect(said()).toContain("3 run, 1 past the promised end, 1 planned");
});

it("gives words by keys, and opens what they are at", async () => {
  await show(of);
  await press("ArrowDown"); // the first row has the windows
  expect(said()).toBe("Node n1: 1 run, 1 planned.");
  await press("ArrowRight");
  expect(said()).toContain("run of a in root.a runs on n1 since 0m. It promises to end at 60m.");
  await press("ArrowRight");
  expect(said()).toContain("wide of c in root.a waits. It starts on n1 at 60m at the latest, and runs until 90m then: it starts earlier.");
  await press("Enter");
  await press("End");
  await press("Enter");
  expect(opened).toEqual([{ kind: "ask", id: "wide" }, { kind: "ask", id: "late" }]);
  await press("Home");
  expect(said()).toContain("Window repair, opens at 20m, until 30m: n2, for no ask: a maintenance.");
});

it("gives words to a pointer, and opens with a tap", async () => {
  await show(of);
  const at = (type: string, x: number, y: number) => act(() => { room()?.dispatchEvent(new MouseEvent(type, { clientX: x, clientY: y, bubbles: true })); });
  await at("pointermove", 140, 55);
  expect(said()).toContain("run of a");
  await at("click", 20, 55);
  expect(said()).toContain("Node n1");
  expect(opened).toEqual([{ kind: "node", id: "n1" }]);
  const tap = () => act(() => { room()?.dispatchEvent(Object.assign(new MouseEvent("click", { clientX: 140, clientY: 55, bubbles: true }), { pointerType: "touch" })); });
  await tap();
  expect(opened).toHaveLength(1);
  expect(said()).toContain("run of a");
  await tap();
  expect(opened.at(-1)).toEqual({ kind: "ask", id: "run" });
});

it("has rows by queue, and takes many nodes together", async () => {
  await show(of);
  const select = place.querySelector<HTMLSelectElement>("select[aria-label=Rows]");
  await act(() => { if (select) { select.selectedIndex = 1; select.dispatchEvent(new Event("change", { bubbles: true })); } });
  expect([...place.querySelectorAll(".spans-sheet .spans-label")].map((one) => one.textContent)).toEqual(["root.a", "root.b"]);
  await act(() => { if (select) { select.selectedIndex = 0; select.dispatchEvent(new Event("change", { bubbles: true })); } });
  await show({ ...of, windows: [], nodes: Array.from({ length: 1000 }, (_, i) => `n${i}`) });
  expect(place.querySelectorAll(".spans-load")).toHaveLength(50);
  await press("ArrowDown");
  await press("Enter");
  expect(place.querySelectorAll(".spans-sheet .spans-label")).toHaveLength(20);
  expect(place.querySelector(".spans-bar button")?.textContent).toContain("All 1,000 nodes");
  await press("Escape");
  expect(place.querySelectorAll(".spans-sheet .spans-label")).toHaveLength(50);
});

it("says the same in a table", async () => {
  await act(() => { render(<SpansTable of={of} say={say} onOpen={(one) => opened.push(one)} />, place); });
  expect([...place.querySelectorAll("tbody tr")].map((row) => [...row.children].slice(0, 5).map((cell) => cell.textContent))).toEqual([
    ["repair", "20m", "30m", "no ask", "n2"],
    ["run", "n1", "0m", "60m", "Runs, with its promised end"], ["late", "n3", "0m", "5m", "Promised end has passed"],
    ["open", "n2", "1m", "no end", "Runs, with its promised end"], ["wide", "n1", "60m", "90m", "Planned startit starts earlier"],
  ]);
  place.querySelector<HTMLButtonElement>(".spans-pick")?.click();
  expect(opened).toEqual([{ kind: "ask", id: "run" }]);
});
