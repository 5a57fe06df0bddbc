// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Config, Explanation, LimitUsage, QueueDump } from "../engine/types";
import type { AppModel } from "../model/model";
import type { Actions } from "../state/actions";
import { overlay, phase, queues, selection, status, type Selection } from "../state/store";
import { chosen, gone, more, preemption, queueList, refused, sampleModel, score, visionWaits } from "./samples.fixture";

const explanations = new Map<string, Explanation>();
const trials = new Map<string, Explanation>();
const model = sampleModel();
let usage: readonly LimitUsage[] = [];
let config: Config | undefined;
/** Dry runs are answered once this is settled. */
let answers = Promise.resolve();

vi.mock("../state/run", () => ({
  actions: { comesAt: () => undefined,
    model: () => model,
    rejections: () => [], meant: (_, name) => Promise.resolve(name === "ghost" ? ["ghost-1", "ghost-2"] : []),
    explain: ({ kind, id }: Selection) => Promise.resolve(explanations.get(`${kind} ${id}`)),
    limitUsage: () => Promise.resolve(usage),
    inForce: () => Promise.resolve(config),
    dryRun: async (ask: string) => {
      await answers;
      return trials.get(ask);
    },
    select: (picked: Selection | undefined) => { selection.value = picked; },
    seekDecision: vi.fn(),
    whyHere: () => Promise.resolve(undefined),
  } satisfies Partial<Actions>,
}));

const { Inspector } = await import("./inspector");

const at = (seconds: number) => {
  status.value = { now: seconds * 1e9, earliest: 0, start: "", midway: false, idle: false, seq: 20, applied: 0, entries: 0, lines: 0, checkpoints: 0, closed: false, grace: 0, endsIdle: false, header: "", done: true };
};

/** A promise that is kept by hand. */
function deferred() {
  const kept: (() => void)[] = [];
  return { promise: new Promise<void>((resolve) => { kept.push(resolve); }), resolve: () => kept.forEach((keep) => keep()) };
}

describe("the inspector", () => {
  const place = document.createElement("div");
  const text = () => place.textContent;
  const settle = () => act(() => new Promise((resolve) => { setTimeout(resolve, 0); }));
  const show = async (picked: Selection | undefined) => {
    selection.value = picked;
    await settle();
    await settle();
  };
  const press = async (name: string) => {
    const button = [...place.querySelectorAll("button")].find((b) => b.textContent === name);
    expect(button, `a button ${name}`).toBeDefined();
    button?.click();
    await settle();
    await settle();
  };
  const headline = () => place.querySelector("[aria-live]")?.textContent;

  beforeEach(async () => {
    Element.prototype.scrollIntoView = () => undefined; // jsdom has no layout
    phase.value = "ready";
    queues.value = queueList;
    at(20);
    document.body.append(place);
    await act(() => { render(<Inspector />, place); });
  });
  afterEach(async () => {
    answers = Promise.resolve();
    await act(() => { render(null, place); });
    usage = [];
    config = undefined;
    explanations.clear();
    trials.clear();
    selection.value = undefined;
  });

  it("sums the cluster up while nothing is picked", async () => {
    await show(undefined);
    expect(text()).toContain("2, of which 1 drained");
    expect(text()).toContain("1 pending, 1 allocated");
    await press("more");
    expect(selection.value).toEqual({ kind: "ask", id: "more" });
  });

  it("says why an ask waits, with what is missing and what the nodes say", async () => {
    explanations.set("ask more", more);
    await show({ kind: "ask", id: "more" });
    expect(headline()).toBe("It waits because root.research.vision lacks 1 vcore.");
    expect(text()).toContain("root.research.vision lacks 1 vcore");
    expect([...place.querySelectorAll(".why-room tbody tr")].map((row) => row.textContent)).toEqual(["root3 of 24", "research3 of 12", "vision3 of 4lacks 1"]);
    expect([...place.querySelectorAll(".why-counts li")].map((row) => row.textContent)).toEqual(["2 nodes would take it", "1 node: draining"]);
    expect(text()).toContain("fence: it shows its offset, 0, whatever is inside");
  });

  it("says of an ask that is too large that it can never run, in place of advice to wait", async () => {
    const bound = { type: "vcore", needs: 999_000 };
    const bounds = [{ ...bound, queue: "root.research.vision", most: 4000 }, { ...bound, queue: "root.research", most: 12_000 }, { ...bound, most: 8000 }];
    explanations.set("ask more", { ...more, never: bounds, reasons: ["headroom", "no-node-fits"], lacks: [{ queue: "root.research.vision", type: "vcore", missing: 998_000 }], fits: 0, nodes: [{ reason: "too-small", detail: "vcore", nodes: 2 }] });
    await show({ kind: "ask", id: "more" });
    expect(headline()).toBe("It can never run as things are: it asks for 999 vcore, and the max of root.research.vision is 4.");
    expect(text()).toContain("It asks for 999 vcore, and the largest node has 8.");
    expect(text()).toContain("Waiting would not help: only a smaller ask would, or a higher max of root.research.vision, a higher max of root.research and a larger node.");
    expect(text()).not.toContain("More nodes would not help");
    expect(text()).not.toContain("An allocation has to end");
    explanations.set("app train", { ...score, id: "train", waits: ["more"], reasons: ["headroom"], blocked: [] });
    await show({ kind: "app", id: "train" });
    expect(headline()).toMatch(/^The first of its asks can never run as things are: it asks for 999 vcore/);
  });

  it("counts nodes below only where it says so: of an ask, not of its application", async () => {
    const counts = [{ reason: "full", detail: "vcore", nodes: 2 }];
    explanations.set("ask more", { ...more, reasons: ["no-node-fits"], lacks: [], fits: 0, nodes: counts });
    await show({ kind: "ask", id: "more" });
    expect(text()).toContain("a suitable node has to be added. The nodes are counted below by cause.");
    expect([...place.querySelectorAll(".why-counts li")].map((row) => row.textContent)).toEqual(["2 nodes: too little vcore free"]);
    explanations.set("app train", { ...score, id: "train", waits: ["more"], reasons: ["no-node-fits"], blocked: [] });
    await show({ kind: "app", id: "train" });
    expect(text()).toContain("a suitable node has to be added.");
    expect(text()).not.toContain("counted below");
    explanations.set("queue root.research.vision", { ...visionWaits, reasons: ["no-node-fits"], lacks: [] });
    await show({ kind: "queue", id: "root.research.vision" });
    expect(text()).toContain("a suitable node has to be added.");
    expect(text()).not.toContain("counted below");
    explanations.set("ask more", { ...more, reasons: ["no-node-fits"], lacks: [], fits: 0, nodes: undefined });
    await show({ kind: "ask", id: "more" });
    expect(text()).not.toContain("counted below");
  });

  it.each([
    ["Held for it", { reserved: true, nodes: [{ reason: "not-the-required-node", nodes: 1 }, { reason: "full", detail: "vcore", nodes: 1 }] }],
    ["Reserved for it", { reserved: true, nodes: [{ reason: "full", detail: "vcore", nodes: 2 }] }],
    ["Kept for it", { kept: true, nodes: [{ reason: "not-the-required-node", nodes: 1 }] }],
  ])("tells how a node is set aside for an ask: %s", async (label, standing) => {
    explanations.set("ask more", { ...more, ...standing, node: "n1" });
    await show({ kind: "ask", id: "more" });
    expect(text()).toContain(`${label}n1`);
  });

  it("says who would have to leave, draws it, and takes the drawing away when the cluster moves on", async () => {
    explanations.set("ask web-2", { ...more, id: "web-2" });
    trials.set("web-2", chosen);
    await show({ kind: "ask", id: "web-2" });
    await press("Which allocations would it preempt?");
    expect(text()).toContain("It would preempt.");
    expect(text()).toContain("once it has waited for its delay, in 1m10s");
    expect(text()).toContain("old-1 and old-0 on n7: it is equal but older");
    expect(text()).toContain("only 4 of its guaranteed 8 vcore used (law 4)");
    expect(text()).toContain("1 is not above 5");
    expect(overlay.value).toEqual({ node: "n8", ask: "web-2", victims: ["young-1", "young-0"] });
    await press("Clear from the grid");
    expect(overlay.value).toBeUndefined();
    await press("Show on the grid");
    expect(overlay.value?.node).toBe("n8");
    at(21);
    await settle();
    expect(overlay.value).toBeUndefined();
    expect(text()).toContain("State at 20s. The cluster has changed since.");
  });

  it("takes the drawing away when something else is picked", async () => {
    explanations.set("ask web-2", { ...more, id: "web-2" });
    trials.set("web-2", chosen);
    await show({ kind: "ask", id: "web-2" });
    await press("Which allocations would it preempt?");
    expect(overlay.value).toBeDefined();
    await show({ kind: "node", id: "n1" });
    expect(overlay.value).toBeUndefined();
  });

  it("drops the answer of a dry run when something else has been picked meanwhile", async () => {
    explanations.set("ask web-2", { ...more, id: "web-2" });
    trials.set("web-2", chosen);
    await show({ kind: "ask", id: "web-2" });
    const { promise, resolve: answer } = deferred();
    answers = promise;
    await press("Which allocations would it preempt?");
    await show({ kind: "node", id: "n1" });
    answer();
    await settle();
    expect(overlay.value).toBeUndefined();
  });

  it("says why nobody would", async () => {
    explanations.set("ask more", more);
    trials.set("more", refused);
    await show({ kind: "ask", id: "more" });
    await press("Which allocations would it preempt?");
    expect(text()).toContain("for every resource type that it needs, the nearest of its queues with a guarantee has used it up, or none has one.");
    expect(text()).toContain("A higher guaranteed for its queue");
    expect(text()).toContain("of the same application (law 3)2");
    expect(overlay.value).toBeUndefined();
  });

  it("says for whom a victim had to go, and by which law", async () => {
    explanations.set("ask young-1", gone);
    await show({ kind: "ask", id: "young-1" });
    expect(headline()).toBe("It was preempted and has left for ask web-2, since the queue of web-2 is below its guarantee.");
    expect(place.querySelector(".why-branches")?.textContent).toContain("Guarantees nothing that it uses (law 5)");
    await press("web-2");
    expect(selection.value).toEqual({ kind: "ask", id: "web-2" });
  });

  it("says the same of a decision, and nothing of one that has yet to happen", async () => {
    explanations.set("ask young-1", gone);
    await show({ kind: "decision", id: "22", decision: preemption });
    expect(text()).toContain("Decision 22 young-1 told to leave n8 for web-2");
    expect(place.querySelector(".why-branches")).not.toBeNull();
    explanations.set("ask young-1", { id: "young-1", node: "n8" });
    await show({ kind: "decision", id: "23", decision: { ...preemption, seq: 23 } });
    expect(text()).toContain("it is still ahead");
  });

  it("shows a queue: what it uses, what decides in it, why it takes no more", async () => {
    explanations.set("queue root.research.vision", visionWaits);
    await show({ kind: "queue", id: "root.research.vision" });
    expect(headline()).toContain("Its first pending ask waits because");
    expect([...place.querySelectorAll(".why-types tr")].map((row) => row.textContent))
      .toEqual(["vcorememory", "Used30 B", "Guaranteed2–", "Max432 GiB", "Headroom132 GiB", "Pending34 GiB"]);
    expect(text()).toContain("2 of 3 running, at most 2");
    expect(text()).toContain("stateaware: one application starts at a time");
    for (const said of ["then as fifo set here", "Order of asksown: a policy from root", "Its delay30s default", "after 1m child template of root.research", "only inside root.research"]) expect(text()).toContain(said);
    await press("train");
    expect(selection.value).toEqual({ kind: "app", id: "train" });
  });

  it("shows an application and what blocks it", async () => {
    explanations.set("app score", score);
    await show({ kind: "app", id: "score" });
    expect(headline()).toBe("The first of its asks waits because its application may not start yet.");
    expect(text()).toContain("root.research.vision runs 2 of at most 2 applications.");
  });

  it("shows a node and who leaves it", async () => {
    await show({ kind: "node", id: "n1" });
    expect(headline()).toBe("It is kept for ask more, until its victims have left.");
    expect(text()).toContain("zone=a");
    expect(text()).toContain("leaves for more");
    await show({ kind: "node", id: "n2" });
    expect(headline()).toContain("draining");
  });

  it("says so when there is no such thing", async () => {
    await show({ kind: "ask", id: "ghost" });
    expect(headline()).toBe("There is no ask ghost at 20s.");
    expect(text()).toContain("Did you mean ghost-1 or ghost-2?");
    expect(text()).toContain("Nothing in this journal has this name, or it left long ago.");
  });

  it("says of an allocated placeholder that it holds room, and for whom it leaves", async () => {
    const held = { id: "train-1", app: "train", queue: "root.research.vision", node: "n1", since: 0, member: { placeholder: true, group: "workers" } };
    explanations.set("ask train-1", held);
    await show({ kind: "ask", id: "train-1" });
    expect(headline()).toBe("It holds room on node n1 for a task of group workers.");
    await show(undefined);
    explanations.set("ask train-1", { ...held, member: { ...held.member, leaves: true } });
    await show({ kind: "ask", id: "train-1" });
    expect(headline()).toBe("It holds room on node n1, and was told to leave.");
    await show(undefined);
    explanations.set("ask train-1", { ...held, member: { ...held.member, leaves: true, for: "more" } });
    await show({ kind: "ask", id: "train-1" });
    expect(headline()).toBe("It holds room on node n1, and was told to leave for ask more.");
  });

  it("says how much a queue is over its max, and when its round is due or why it has none", async () => {
    const over = { ...visionWaits, reasons: ["nothing-pending"], lacks: [], quota: { excess: { vcore: 1000 }, since: 5e9, due: 65e9 } };
    explanations.set("queue root.research.vision", over);
    await show({ kind: "queue", id: "root.research.vision" });
    expect(headline()).toBe("It uses 1 vcore more than its max. Nothing is pending.");
    expect(text()).toContain("Since5s, for 15s");
    expect(text()).toContain("Its roundin 45s, at 1m5s");
    await show(undefined);
    explanations.set("queue root.research.vision", { ...over, quota: { excess: { vcore: 1000 }, reason: "waits-for-queue-above", above: "root.research", since: 5e9, due: 6e9 } });
    await show({ kind: "queue", id: "root.research.vision" });
    expect(text()).toContain("No roundthe victims of root.research have yet to leave");
    expect(text()).not.toContain("Its round");
  });

  it("says of a dynamic queue what made it, and from which template it has its settings", async () => {
    const queueState: QueueDump = { path: "root.users.ann", leaf: true, dynamic: true, state: "active" };
    config = { root: { path: "root", children: [{ path: "root.users", template: { max: { vcore: 4000 }, maxApplications: 2 } }] } };
    explanations.set("queue root.users.ann", { queueState, reasons: ["nothing-pending"] });
    await show({ kind: "queue", id: "root.users.ann" });
    expect(text()).toContain("dynamic leaf: applications are submitted to it; a placement rule created it, and it is removed 10 seconds after its last application");
    expect(text()).toContain("Its settingsthe child template of root.users: max 4 vcore; maxapplications 2");
    explanations.set("queue root.users", { queueState: { path: "root.users", state: "active" }, reasons: ["nothing-pending"] });
    await press("root.users");
    expect(text()).toContain("Dynamic leavesits child template: max 4 vcore; maxapplications 2");
    config = { root: { path: "root" } };
    await show(undefined);
    await show({ kind: "queue", id: "root.users.ann" });
    expect(text()).toContain("none of its own: no queue above has a child template");
    explanations.set("queue root.@recovery@", { queueState: { ...queueState, path: "root.@recovery@" }, reasons: ["nothing-pending"] });
    await show({ kind: "queue", id: "root.@recovery@" });
    expect(text()).toContain("recovery queue: it holds running applications that no rule places");
    expect(text()).not.toContain("template");
  });

  it("lists what is in a queue of another partition, against the total of that partition", async () => {
    const gpu = (path: string): QueueDump => ({ partition: "gpu", path, leaf: path !== "root", state: "active", used: { vcore: 1000 }, ...(path === "root" && { max: { vcore: 2000 } }) });
    queues.value = [...queueList, { ...gpu("root"), path: "[gpu]root" }, { ...gpu("root.a"), path: "[gpu]root.a" }];
    const apps = model.apps as Map<string, AppModel>;
    apps.set("g", { id: "g", queue: "[gpu]root.a", state: "Running", submitted: 0, asks: new Map(), gangs: new Map() });
    apps.set("other", { id: "other", queue: "root.a", state: "Running", submitted: 0, asks: new Map(), gangs: new Map() });
    usage = [{ partition: "gpu", queue: "root.a", name: "ann", used: { vcore: 4000 }, max: { vcore: 4000 } }, { queue: "root.a", name: "bob", used: {}, max: { vcore: 4000 } }];
    explanations.set("queue [gpu]root", { queueState: gpu("root"), reasons: ["nothing-pending"] });
    explanations.set("queue [gpu]root.a", { queueState: gpu("root.a"), reasons: ["nothing-pending"] });
    await show({ kind: "queue", id: "[gpu]root" });
    expect(text()).not.toContain("Preemptionby guarantees");
    await press("a");
    expect([...place.querySelectorAll(".why-table tbody th")].map((cell) => cell.textContent)).toContain("g");
    expect(text()).not.toContain("other");
    expect(place.querySelector<HTMLElement>(".why-types .why-bar-used")?.style.width).toBe("50%");
    expect(text()).toContain("user annat its limit4 of 4 vcore");
    expect(text()).not.toContain("bob");
    await show(undefined);
    expect(text()).toContain("Use of the first partition");
    expect(text()).toContain("Use of partition gpu");
    apps.delete("g");
    apps.delete("other");
  });
});
