// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { AskExplanation } from "../engine/types";
import type { Actions } from "../state/actions";
import type { Placed, Waited } from "../state/placed";
import { phase, playing, selection, status, type Selection } from "../state/store";
import { here, more, runs, sampleModel } from "./samples.fixture";

const explanations = new Map<string, AskExplanation>();
const placements = new Map<string, Placed>();
let waited: readonly Waited[] | undefined;
const model = sampleModel();

vi.mock("../state/run", () => ({
  actions: {
    comesAt: () => undefined, meant: () => Promise.resolve([]), rejections: () => [],
    model: () => model,
    explain: ({ kind, id }: Selection) => Promise.resolve(explanations.get(`${kind} ${id}`)),
    whyHere: (ask: string) => Promise.resolve(placements.get(ask)),
    waitedFor: () => Promise.resolve(waited),
    select: () => undefined,
  } satisfies Partial<Actions>,
}));

const { Inspector } = await import("./inspector");

describe("what the inspector tells of a placement, and what it lets one ask", () => {
  const place = document.createElement("div");
  const text = () => place.textContent;
  const headline = () => place.querySelector("[aria-live]")?.textContent;
  const settle = () => act(() => new Promise((resolve) => { setTimeout(resolve, 0); }));
  const show = async (picked: Selection | undefined) => {
    selection.value = picked;
    for (let i = 0; i < 3; i++) await settle(); // the answer, what is looked back for, and the questions about it
  };
  const press = async (name: string) => {
    const button = [...place.querySelectorAll("button")].find((b) => b.textContent === name);
    expect(button, `a button ${name}`).toBeDefined();
    button?.click();
    for (let i = 0; i < 3; i++) await settle();
  };

  beforeEach(async () => {
    Element.prototype.scrollIntoView = () => undefined; // jsdom has no layout
    phase.value = "ready";
    status.value = { now: 20e9, earliest: 0, start: "", midway: false, idle: false, seq: 20, applied: 0, entries: 0, lines: 0, checkpoints: 0, closed: false, grace: 0, endsIdle: false, header: "", done: true };
    document.body.append(place);
    await act(() => { render(<Inspector />, place); });
  });
  afterEach(async () => {
    await act(() => { render(null, place); });
    explanations.clear();
    placements.clear();
    waited = undefined;
    playing.value = false;
    selection.value = undefined;
  });

  it("says why an ask is on its node: how the nodes were scored, what ruled out the others, and what it waited for", async () => {
    explanations.set("ask train-1", runs);
    placements.set("train-1", here);
    waited = [{ from: 1e9, to: 4e9, e: { id: "train-1", reasons: ["headroom"], lacks: [{ queue: "root.a", type: "vcore", missing: 2000 }] } },
      { from: 4e9, to: 5e9, e: { id: "train-1", reasons: ["no-node-fits"], nodes: [{ reason: "full", detail: "vcore", nodes: 3 }] } }];
    await show({ kind: "ask", id: "train-1" });
    expect(headline()).toBe("It runs on node n1.");
    expect(text()).toContain("2 nodes would take it. Policy binpacking takes the most used: n1 (62.5% used) rather than n2 (10% used).");
    expect([...place.querySelectorAll(".why-scores tbody tr")].map((row) => row.textContent)).toEqual(["n3no: too little vcore free90% used", "n1 chosenyes62.5% used", "n2yes10% used"]);
    expect(place.querySelector(".why-chosen")?.textContent).toContain("n1");
    expect([...place.querySelectorAll(".why-counts li")].map((row) => row.textContent)).toEqual(["2 nodes would take it", "12 nodes: without an allowed value of gpu"]);
    expect(text()).toContain("It waited 4s: submitted at 1s, placed at 5s.");
    await press("What did it wait for?");
    expect([...place.querySelectorAll(".why-waits tbody tr")].map((row) => row.textContent)).toEqual([
      "1s3sroot.a lacks 2 vcore", "4s1sno node can take it now 3 nodes: too little vcore free"]);
  });

  it("looks back only when asked while it plays, and says why of what has ended", async () => {
    playing.value = true;
    placements.set("ended", here);
    await show({ kind: "ask", id: "ended" });
    expect(headline()).toBe("There is no ask ended at 20s.");
    expect(text()).not.toContain("Policy binpacking");
    await press("Why on this node?");
    expect(text()).toContain("Policy binpacking takes the most used");
  });

  it("lists its questions in the order of the answers, and leads to each", async () => {
    explanations.set("ask more", more);
    await show({ kind: "ask", id: "more" });
    expect([...place.querySelectorAll(".why-questions button")].map((button) => button.textContent)).toEqual([
      "What would help?", "What do its queues have?", "Where would it fit?", "When is its turn?", "Which allocations would it preempt?"]);
    await press("Where would it fit?");
    expect(document.activeElement?.textContent).toBe("Nodes");
    await show(undefined);
    expect(place.querySelector(".why-questions")).toBeNull();
  });
});
