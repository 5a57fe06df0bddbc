// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it } from "vitest";
import type { AskExplanation } from "../engine/types";
import { duration } from "../ui/format";
import { Around } from "./around";
import { more } from "./samples.fixture";
import { Waits } from "./waits";

const place = document.createElement("div");
const text = () => place.textContent;
const around = { pick: () => undefined, now: () => 20e9, time: duration, queue: () => undefined };

async function show(e: Partial<AskExplanation>): Promise<void> {
  await act(() => { render(<Around.Provider value={around}><Waits e={{ ...more, ...e }} wants={{ vcore: 2000 }} waited="9s" queues={[]} pending={4} /></Around.Provider>, place); });
}

afterEach(() => { render(null, place); });

const noNode = { reasons: ["no-node-fits"], lacks: [], fits: 0 };

it("tells what nodes have instead of the wanted attributes", async () => {
  await show({ ...noNode, mismatches: [{ attribute: "zone", wanted: ["b", "c"], nodes: 3, present: [{ value: "a", nodes: 2 }], without: 1 }] });
  expect([...place.querySelectorAll(".why-table tr")].map((row) => row.textContent)).toContain("zoneb or ca (2 nodes), no value (1 node)");
});

it("tells for whom nodes are reserved and kept, and until when", async () => {
  await show({ ...noNode, holders: [
    { node: "n1", ask: "web-2", app: "web", queue: "root.prod", until: 25e9 }, { node: "n2", ask: "web-3", app: "web", queue: "root.prod", kept: true },
    { node: "n3", ask: "web-4", app: "web", queue: "root.prod" },
  ] });
  expect(text()).toContain("n1 is reserved for web-2 of web in root.prod, until 25s at most, in 5s.");
  expect(text()).toContain("n2 is kept for web-3 of web in root.prod, which preempted there, until its victims have left.");
  expect(text()).toContain("n3 is reserved for web-4 of web in root.prod, until that is placed or removed.");
});

it("tells which nodes come first, with their scores, and by which policy", async () => {
  await show({ fits: 1, nodePolicy: "fair", candidates: [{ node: "n2", reason: "kept", score: -0.1 }, { node: "n3", fits: true, score: -0.25 }] });
  expect(text()).toContain("The nodes in the order of policy fair (built-in)");
  expect([...place.querySelectorAll(".why-scores tbody tr")].map((row) => row.textContent)).toEqual(["n2no: kept for asks that preempted there10% used", "n3yes25% used"]);
});

it("says that a node does not exist which an ask requires", async () => {
  await show({ ...noNode, required: "n9", noSuchNode: true });
  expect(text()).toContain("Requiresnode n9, which does not exist");
  expect(text()).toContain("It requires node n9, which does not exist.");
  await show({ ...noNode, required: "n1" });
  expect(text()).toContain("Requiresnode n1");
  expect(text()).not.toContain("does not exist");
});

it("tells the switches of preemption with which it was sent", async () => {
  await show({ preempts: true, preemptable: true, originator: true });
  expect(text()).toContain("Preemptionit may preempt others and may be preempted; as an originator it goes last among victims");
  await show({});
  expect(text()).toContain("Preemptionit may not preempt others and asks not to be preempted");
});

it("tells how its gangs stand, and what keeps the next member of an atomic one out", async () => {
  await show({
    reasons: ["gang-does-not-fit"], lacks: [], gang: { declared: { vcore: 4000 }, pending: 1 },
    atomic: { id: "g", pending: 3, resting: 1, min: 2, fits: 1, ends: 50e9, barred: "more-2", lacks: [{ queue: "root.research", type: "vcore", missing: 2000 }], nodes: [{ reason: "full", detail: "vcore", nodes: 4 }] },
  });
  expect(text()).toContain("Placed together2 or more");
  expect(text()).toContain("Members3 pending, of which 1 cannot be placed before placeholders are");
  expect(text()).toContain("Fit together1 of 2");
  expect(text()).toContain("Time is overat 50s: its pending members are rejected then");
  expect(text()).toContain("Beside these, more-2 does not fit:root.research lacks 2 vcore.4 nodes: too little vcore free");
  expect(text()).toContain("Declared4 vcore");
});

it("tells when it starts at the latest, and what leaves before", async () => {
  await show({ ...noNode, planned: {
    start: 80e9, node: "n1", reason: "overrun", after: [{ ask: "web-2", app: "web", ends: 50e9 }, { ask: "web-3", app: "web", ends: 80e9, planned: true }], window: "patch",
  } });
  expect(text()).toContain("It starts at the latest at 1m20s on n1. It was planned for earlier before: an allocation stayed after its promised end, or promises a later one.");
  expect(text()).toContain("web-2 leaves at 50s at the latest.web-3, planned before it, leaves at 1m20s at the latest.Window patch closes.");
});

it("tells for which gang members nodes are planned, each node once", async () => {
  await show({ ...noNode, planned: { start: 80e9, node: "n1", gang: "g", nodes: ["n1", "n2", "n1"] } });
  expect(text()).toContain("Its gang g starts at the latest at 1m20s on n1, n2.");
});

it("tells why it has no planned start, whose room it would take, and with which walltime it would start", async () => {
  await show({ ...noNode, unplanned: "unbounded", shorter: { walltime: 60e9, node: "n1" }, holders: [{ node: "n1", ask: "web-4", app: "web", queue: "root.prod", from: 80e9 }] });
  expect(text()).toContain("It has no planned start: allocations in its way promise no end, since they have no walltime.");
  expect(text()).toContain("With a walltime of 1m or less, it would start now on n1.");
  expect(text()).toContain("n1 is planned for web-4 of web in root.prod, which starts at 1m20s at the latest.");
});
