// @vitest-environment jsdom
import { render, type ComponentChild } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AskDetail } from "./ask-detail";
import { GangDetail } from "./gang-detail";
import { MemberBlocks } from "./gang-members";
import { gangCause, gangPlace, gangStanding } from "./gang-words";
import { GangList } from "./gangs";
import type { GangObject } from "./host/objects";
import { Racks } from "./racks";
import { addressOf, gangName, gangOf, placeOf } from "./route";
import { nearestTile } from "./tile-keys";

const gang: GangObject = {
  app: "train", gang: "ring", queue: "root.a", user: "ann", state: "whole", submitted: "2026-01-01T00:00:00Z", min: 2, max: 4, needed: 2, disruption: "unit",
  allocated: 3, leaving: 0, pending: 0, succeeded: 0, surplus: 1, level: "rack", required: true, domain: "b1/r1",
  members: [{ ask: "m1", state: "allocated", node: "n1" }, { ask: "m2", state: "allocated", node: "n2" }, { ask: "m3", state: "allocated", node: "n2" }],
};
const broken: GangObject = { ...gang, state: "broken", allocated: 1, surplus: 0, broken_since: "2026-01-01T00:00:00Z", broken_by: "node_removed", members: gang.members.slice(0, 1) };
const held = { since: "2026-01-01T00:00:00Z", until: "2026-01-01T00:15:00Z", members: [{ ask: "m1", state: "pending", node: "n1" } as const] };

const place = document.createElement("div");
const text = () => place.textContent;

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}
let answers: Readonly<Record<string, Answer | "never">> = {};

beforeEach(() => {
  vi.stubGlobal("fetch", (path: string) => {
    const found = Object.entries(answers).find(([begin]) => path.startsWith(begin))?.[1] ?? { status: 404, body: { title: "Not found" } };
    if (found === "never") return new Promise(() => undefined);
    return Promise.resolve(new Response(JSON.stringify(found.body), { status: found.status ?? 200 }));
  });
});

afterEach(() => {
  render(null, place);
  vi.unstubAllGlobals();
});

async function show(what: ComponentChild, given: typeof answers): Promise<void> {
  answers = given;
  await act(async () => {
    render(what, place);
    for (let i = 0; i < 20; i++) await Promise.resolve();
  });
  await vi.waitFor(() => { if (!Object.values(given).includes("never") && text().includes("Loading")) throw new Error("it is still loading"); });
}

const forbidden = { status: 403, body: { type: "urn:quern:forbidden", title: "This needs another role" } };
const list = (filters = {}) => <GangList filters={filters} picked="" address={(name) => `#/gangs/${name}`} />;
const racks = () => <Racks partition="" picked="" address={(name) => `#/nodes/${name}`} />;

it("says how a gang stands, in words", () => {
  expect(gangStanding(gang)).toBe("whole: 3 of 2 members run, 1 of them surplus");
  expect(gangStanding(broken)).toBe("broken: 1 of 2 members are left");
  expect(gangStanding({ ...gang, state: "waiting", allocated: 0, pending: 2 })).toBe("waits: 2 pending, 2 start together");
  expect(gangStanding({ ...gang, state: "accumulating", allocated: 0, pending: 2, held })).toBe("accumulates: room is held for 1 of 2 members");
  expect(gangStanding({ ...gang, state: "single", allocated: 1, pending: 1 })).toBe("single: 1 run and 1 wait, each for itself");
  expect(gangStanding({ ...gang, state: "leaving", allocated: 0, leaving: 2 })).toBe("ends: 0 of 2 members stay");
});

it("says why it waits or is broken, and where it is", () => {
  expect(gangCause(broken)).toMatch(/^a node was removed, .* ago, at /);
  expect(gangCause({ state: "waiting", reason: "gang-does-not-fit" })).toBe("too few of its members fit together");
  expect(gangCause({ state: "waiting", reason: "something-new" })).toBe("something-new");
  expect(gangCause(gang)).toBe("");
  expect([gangPlace(gang), gangPlace({ level: "rack", required: true }), gangPlace({ level: "rack" }), gangPlace({})]).toEqual(["rack b1/r1", "one rack", "preferably one rack", ""]);
});

it("names gangs in addresses, whatever their names", () => {
  for (const [app, id] of [["train", "ring"], ["a/b", "c d/%"], ["ü", "?x=1#"]] as const) {
    expect(gangOf(placeOf(addressOf("gangs", gangName(app, id))).name)).toEqual({ app, gang: id });
  }
  expect(gangOf(placeOf("#/gangs/train/100%").name)).toEqual({ app: "train", gang: "100%" });
});

it("draws the members of a gang together, and says what they do", async () => {
  await act(() => { render(<MemberBlocks gang={{ ...gang, more_members: 7, state: "accumulating", held, members: [{ ask: "m1", state: "pending" }, { ask: "m2", state: "pending", slice: 1 }, { ask: "m3", state: "leaving", node: "n1", slice: 2 }] }} />, place); });
  expect(place.firstElementChild?.getAttribute("aria-label")).toBe("1 leave, 1 wait, with room held for them, 1 wait, and 7 more members");
  expect([...place.querySelectorAll(".gang-block")].map(({ className }) => className.replace("gang-block ", ""))).toEqual(["gang-block-held", "gang-block-pending gang-block-slice", "gang-block-leaving gang-block-slice"]);
});

it("lists a gang in a row with its members, its state and its domain", async () => {
  await show(list(), { "v1/gangs": { body: { items: [gang, broken] } } });
  expect([...place.querySelectorAll("tbody tr")]).toHaveLength(2);
  expect(place.querySelector("tbody tr")?.textContent).toContain("whole: 3 of 2 members run, 1 of them surplus");
  expect(place.querySelector("tbody tr")?.textContent).toContain("rack b1/r1");
  expect(text()).toContain("a node was removed");
});

it("says that gangs are loading, may not be read, or are not there", async () => {
  await show(list(), { "v1/gangs": "never" });
  expect(text()).toBe("Loading…");
  await show(list({ state: "whole" }), { "v1/gangs": forbidden });
  expect(text()).toContain("This needs another role");
  expect(place.querySelector("[role=alert] button")?.textContent).toContain("Try again");
  await show(list({ state: "" }), { "v1/gangs": { body: { items: [] } } });
  expect(text()).toContain("No application has an atomic gang.");
  await show(list({ state: "broken" }), { "v1/gangs": { body: { items: [] } } });
  expect(text()).toBe("There are none.");
});

it("shows a gang with its members, and what the scheduler says", async () => {
  await show(<GangDetail name="train/ring" />, {
    "v1/gangs/train/ring": { body: { ...gang, held, slice_level: "rack", slice_size: 2, slices: [{ slice: 1, allocated: 2, domain: "b1/r1" }] } },
    "v1/asks/m1/explanation": { body: { text: "Ask m1 runs on node n1." } },
  });
  expect(text()).toContain("3 run, 0 wait, 0 leave, 0 succeeded");
  expect(text()).toContain("Slices of 2 members");
  expect(text()).toContain("Room that is held");
  expect(text()).toContain("Ask m1 runs on node n1.");
  expect(place.querySelector<HTMLAnchorElement>(".why-table a")?.getAttribute("href")).toBe("#/asks/m1");
});

it("keeps what the user may not read, and says which gang is not there", async () => {
  await show(<GangDetail name="train/ring" />, { "v1/gangs/train/ring": { body: gang }, "v1/asks": forbidden });
  expect(text()).toContain("Explanations are for operators");
  await show(<GangDetail name="train/none" />, { "v1/gangs/train/none": { status: 404, body: { title: "Not found", detail: "found no gang" } } });
  expect(text()).toContain("Not found: found no gang");
});

const level = { level: "rack", attribute: "r", domains: 2 };
const rack = (domain: string, used: number) => ({ level: "rack", domain, nodes: 2, schedulable: 1, capacity: { vcore: "8000m" }, occupied: {}, used: { vcore: `${used}m` }, free: {} });
const node = (name: string, domain: object, used: number) => ({ node: name, schedulable: name !== "n2", capacity: { vcore: "4000m" }, occupied: {}, used: { vcore: `${used}m` }, domain });

it("frames the nodes by rack, with the use of each", async () => {
  await show(racks(), {
    "v1/topology": { body: { levels: [level], items: [rack("r1", 4000), rack("r2", 0)] } },
    "v1/nodes": { body: { items: [node("n1", { rack: "r1" }, 4000), node("n2", { rack: "r1" }, 0), node("n3", { rack: "r2" }, 0), node("n4", {}, 0)] } },
  });
  expect([...place.querySelectorAll(".rack")].map((one) => one.getAttribute("aria-label"))).toEqual(["rack r1", "rack r2", "In no rack"]);
  expect(place.querySelector(".rack")?.textContent).toContain("2 nodes, 1 drained");
  expect(place.querySelector(".rack h3")?.textContent).toContain("50%");
  expect([...place.querySelectorAll(".tile")].map((one) => one.getAttribute("aria-label"))).toEqual(["n1, 100% used", "n2, 0% used, drained", "n3, 0% used", "n4, 0% used"]);
  expect([...place.querySelectorAll(".tile")].map((one) => (one as HTMLElement).tabIndex)).toEqual([0, -1, -1, -1]);
});

it("says that domains are loading, may not be read, or are not there", async () => {
  await show(racks(), { "v1/topology": "never" });
  expect(text()).toBe("Loading…");
  render(null, place);
  await show(racks(), { "v1/topology": forbidden });
  expect(text()).toContain("This needs another role");
  render(null, place);
  await show(racks(), { "v1/topology": { body: { levels: [], items: [] } } });
  expect(text()).toContain("No partition has a topology.");
  render(null, place);
  await show(racks(), { "v1/topology": { body: { levels: [level], items: [] } }, "v1/nodes": { body: { items: [] } } });
  expect(text()).toContain("The cluster has no nodes yet.");
});

it("says of a victim that its gang ends with it, in the words of the scheduler", async () => {
  const victim = { id: "m1", app: "train", queue: "root.a", priority: 0, kind: "guarantee", for: "k1", for_app: "web", for_queue: "root.web", node: "n1", at: "2026-01-01T00:00:00Z", gone: false, entitled: [], with: [] };
  const explained = { at: "2026-01-01T00:00:00Z", ask: "m1", app: "train", pending: false, node: "n1" };
  const ask = { ask: "m1", app: "train", queue: "root.a", state: "leaving", priority: 0, resources: {}, placeholder: false, submitted: "2026-01-01T00:00:00Z", gang: "ring" };
  await show(<AskDetail id="m1" />, { "v1/asks/m1/explanation": { body: { ...explained, victim: { ...victim, gang_text: "Its gang of 8 ends with it." } } }, "v1/asks/m1": { body: ask } });
  await vi.waitFor(() => { expect(text()).toContain("Its gang of 8 ends with it."); });
  render(null, place);
  await show(<AskDetail id="m1" />, { "v1/asks/m1/explanation": { body: { ...explained, running: { id: "ring", running: 3, min: 2, surplus: 1, text: "It belongs to gang ring, of which 3 members run." } } }, "v1/asks/m1": { body: { ...ask, state: "allocated" } } });
  await vi.waitFor(() => { expect(text()).toContain("It belongs to gang ring, of which 3 members run."); });
  expect(place.querySelector('a[href^="#/gangs/"]')?.textContent).toBe("ring");
});

it("goes from tile to tile by arrow keys, by rows", () => {
  const tiles = [[0, 0], [50, 0], [0, 60], [50, 60]].map(([left = 0, top = 0]) => ({ getBoundingClientRect: () => ({ left, top, bottom: top + 44 }) }));
  const to = (from: number, key: string) => { const found = nearestTile(tiles, tiles[from], key); return found && tiles.indexOf(found); };
  expect([to(0, "ArrowRight"), to(0, "ArrowDown"), to(3, "ArrowUp"), to(1, "ArrowLeft"), to(1, "Home"), to(0, "End"), to(3, "ArrowDown"), to(0, "Enter")]).toEqual([1, 2, 1, 0, 0, 3, undefined, undefined]);
  expect(nearestTile(tiles, undefined, "End")).toBeUndefined();
});
