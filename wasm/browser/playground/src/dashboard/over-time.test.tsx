// @vitest-environment jsdom
import { render, type ComponentChild } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addAged, agedCharts, ages, forgetAged } from "./aged";
import { Forecast } from "./forecast";
import type { AskObject, ForecastObject, QueueObject, WindowObject } from "./host/objects";
import { endedSpans, plannedSpan, runningSpan, windowSpan } from "./host/spans";
import { tickOf } from "./host/times";
import { NodesOverTime } from "./over-time";

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, "0")}:00:00Z`;
const ns = (hour: number) => Date.parse(at(hour)) * 1e6;
const ask: AskObject = { ask: "j", app: "train", queue: "root.a", state: "allocated", priority: 0, resources: {}, placeholder: false, submitted: at(0), node: "n1", allocated: at(1) };
const window: WindowObject = { window: "repair", open: false, from: at(4), until: at(5), every: "24h0m0s", nodes: ["n1"], queues: ["root.b"], users: [], groups: ["ops"] };

const place = document.createElement("div");
const text = () => place.textContent;
let answers: Readonly<Record<string, { readonly status?: number; readonly body: unknown } | "never">> = {};
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal("ResizeObserver", class {
    private readonly hear: (entries: object[]) => void;
    constructor(hear: (entries: object[]) => void) { this.hear = hear; }
    observe() { this.hear([{ contentRect: { width: 632, height: 300 } }]); }
    disconnect() { return undefined; }
  });
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const found = Object.entries(answers).find(([begin]) => path.startsWith(begin))?.[1] ?? { body: { items: [] } };
    if (found === "never") return new Promise(() => undefined);
    return Promise.resolve(new Response(JSON.stringify(found.body), { status: found.status ?? 200 }));
  });
});

afterEach(() => {
  render(null, place);
  vi.unstubAllGlobals();
});

async function show(what: ComponentChild, given: typeof answers, until = ""): Promise<void> {
  answers = given;
  await act(async () => {
    render(what, place);
    for (let i = 0; i < 20; i++) await Promise.resolve();
  });
  await vi.waitFor(() => { if (!text().includes(until)) throw new Error(`it says ${text()}`); });
}

const chart = (table = false) => <NodesOverTime partition="" picked="" table={table} node={(name) => `#/nodes/${name}`} />;
const forbidden = { status: 403, body: { type: "urn:quern:forbidden", title: "This needs another role" } };

it("reads what runs, what is planned, what has ended, and windows", () => {
  expect(runningSpan({ ...ask, ends: at(3) }, ns(2))).toEqual({ ask: "j", app: "train", queue: "root.a", node: "n1", from: ns(1), until: ns(3), kind: "runs", why: "" });
  expect(runningSpan({ ...ask, ends: at(3) }, ns(3)).kind).toBe("late");
  expect(runningSpan({ ...ask, state: "leaving", leaving_for: "k" }, ns(3))).toMatchObject({ kind: "leaves", until: undefined, why: "it leaves for k" });
  const pending: AskObject = { ...ask, state: "pending", node: undefined, allocated: undefined, walltime: "1h0m0s", planned_start: { start: at(3), node: "n2", reason: "overrun" } };
  expect(plannedSpan(pending)).toMatchObject({ node: "n2", from: ns(3), until: ns(4), kind: "planned", why: "an allocation stayed after its promised end, or promises a later one" });
  expect(plannedSpan({ ...pending, walltime: undefined })?.until).toBeUndefined();
  expect(plannedSpan(ask)).toBeUndefined();
  const made = { seq: 1, at: at(1), type: "allocation", id: "x", app: "a", queue: "root.a", node: "n1" };
  expect(endedSpans([made, { seq: 2, at: at(2), type: "release", id: "x", reason: "finished" }, { seq: 3, at: at(2), type: "release", id: "unheard", reason: "finished" }])).toEqual([{ ask: "x", app: "a", queue: "root.a", node: "n1", from: ns(1), until: ns(2), kind: "ended", why: "it finished" }]);
  expect(windowSpan(window)).toEqual({ window: "repair", open: false, from: ns(4), until: ns(5), every: 24 * 3600e9, nodes: ["n1"], names: "queue root.b, group ops" });
  expect(windowSpan({ ...window, from: undefined })).toBeUndefined();
});

it("draws the nodes over time, or lists the same", async () => {
  const given: typeof answers = {
    "v1/nodes": { body: { items: [{ node: "n1" }, { node: "n2" }] } }, "v1/asks?state=allocated": { body: { items: [{ ...ask, ends: at(3) }, { ...ask, ask: "elsewhere", node: "n9" }] } },
    "v1/asks?state=pending": { body: { items: [{ ...ask, ask: "k", state: "pending", planned_start: { start: at(3), node: "n2" } }, { ...ask, ask: "l", state: "pending" }] } },
    "v1/windows": { body: { items: [window] } },
  };
  await show(chart(), given, "By node");
  expect([...place.querySelectorAll(".spans-sheet .spans-label")].map((one) => one.textContent)).toEqual(["n1", "n2"]);
  expect(place.querySelectorAll(".spans-one")).toHaveLength(2);
  render(null, place);
  await show(chart(true), given, "Windows");
  expect([...place.querySelectorAll("tbody th")].map((one) => one.textContent)).toEqual(["repair", "j", "k"]);
});

it("says that it is loading, may not be read, or is empty", async () => {
  await show(chart(), { "v1/nodes": "never" }, "Loading…");
  render(null, place);
  await show(chart(), { "v1/asks": forbidden }, "This needs another role");
  expect(place.querySelector("[role=alert] button")?.textContent).toContain("Try again");
  render(null, place);
  await show(chart(), {}, "The cluster has no nodes yet.");
  render(null, place);
  await show(chart(), { "v1/nodes": { body: { items: [{ node: "n1" }] } }, "v1/windows": forbidden }, "Nothing runs, and nothing is planned.");
});

const forecast: ForecastObject = { at: at(0), horizon: "168h0m0s", plays: 39, played: 39, started: 39, p5: at(1), p50: at(2), p95: at(4), text: "j starts within 7 days in 39 of 39 plays of the present." };
const press = async () => { await act(async () => { place.querySelector("button")?.click(); for (let i = 0; i < 20; i++) await Promise.resolve(); }); };

it("draws a forecast as a band, once it is asked for", async () => {
  await show(<Forecast ask="j" planned={{ start: at(3), node: "n2" }} />, { "v1/asks/j/forecast": { body: forecast } }, "at the latest");
  expect(asked).toEqual([]);
  await press();
  await vi.waitFor(() => { expect(text()).toContain(forecast.text); });
  expect(place.querySelector("[role=img]")?.getAttribute("aria-label")).toMatch(/^Start: 5th percentile .*, middle .*, 95th .*; planned for .* at the latest$/);
  const band = place.querySelector<HTMLElement>(".forecast-band");
  expect(Number.parseFloat(band?.style.left ?? "")).toBeCloseTo(100 / 4.6, 3);
  expect(Number.parseFloat(band?.style.width ?? "")).toBeCloseTo(300 / 4.6, 3);
  expect(asked).toEqual(["v1/asks/j/forecast"]);
});

it("says where a forecast is short, fails, or tells of no start", async () => {
  await show(<Forecast ask="j" planned={undefined} />, { "v1/asks/j/forecast": { status: 409, body: { title: "Not pending" } } }, "plays the present");
  await press();
  await vi.waitFor(() => { expect(text()).toContain("Not pending"); });
  answers = { "v1/asks/j/forecast": { body: { ...forecast, started: 0, p5: undefined, p50: undefined, p95: undefined, text: "In none of 39 plays." } } };
  await press();
  await vi.waitFor(() => { expect(text()).toContain("In none of 39 plays."); });
  expect(place.querySelector(".forecast")).toBeNull();
  answers = { "v1/asks/j/forecast": { body: { ...forecast, played: 9, p5: undefined, p95: undefined } } };
  await press();
  await vi.waitFor(() => { expect(place.querySelector("[role=img]")?.getAttribute("aria-label")).toMatch(/^Start: middle /); });
});

it("samples how usage ages, beside siblings and by user", () => {
  forgetAged();
  const aged = (share: number) => ({ half_life: "24h", look_ahead: "2h24m", aged: { vcore: "1500m" }, compared: { vcore: "2" }, share_billionths: share });
  const queue = (path: string, share: number): QueueObject => ({
    queue: path, state: "active", leaf: true, dynamic: false, used: { vcore: "3" }, guaranteed: {}, max: {}, headroom: {}, pending: {}, pending_asks: 0, allocations: 1, priority: null,
    applications: 1, running: 1, max_running: 0, app_sort: "fair-users", properties: {}, aged: aged(share), users: [{ user: "ann", ...aged(5e8) }, { user: "bob", ...aged(1e8) }],
  });
  expect([ages(queue("root.a", 1)), ages({ aged: { aged: {}, compared: {}, share_billionths: 0 } }), ages({})]).toEqual([true, false, false]);
  addAged({ at: 1, queue: queue("root.a", 1e8), among: [queue("root.a", 1e8), queue("root.b", 2e8)] });
  const samples = addAged({ at: 6, queue: queue("root.a", 3e8), among: [queue("root.a", 3e8), queue("root.b", 2e8)] });
  expect(addAged({ at: 6, queue: queue("root.a", 3e8), among: [] })).toBe(samples);
  expect(agedCharts(samples).map(({ title, lines }) => [title, lines.map(({ label, values }) => [label, ...values])])).toEqual([
    ["Use of vcore", [["now", 3000, 3000], ["aged", 1500, 1500], ["compared", 2000, 2000]]],
    ["Share that is compared", [["root.a", 0.1, 0.3], ["root.b", 0.2, 0.2]]],
    ["Share of users", [["ann", 0.5, 0.5], ["bob", 0.1, 0.1]]],
  ]);
  expect(agedCharts([])).toEqual([]);
});

it("writes times on an axis in few characters", () => {
  const midnight = new Date(2026, 0, 1).getTime();
  expect([tickOf(midnight), tickOf(midnight + 14.5 * 3600e3), tickOf(midnight + 30e3)]).toEqual(["1 Jan", "14:30", "00:00:30"]);
});
