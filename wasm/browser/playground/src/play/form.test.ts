import { describe, expect, it } from "vitest";
import { defaultWorkload, generate } from "../model/generator";
import type { Model } from "../model/model";
import { checkApplication, checkAsks, checkMove, checkNodes, type ApplicationDraft, type AskDraft, type NodesDraft } from "./form-drafts";
import { askIds, freeName, namesOf } from "./form-names";
import { FormReader } from "./form-reader";
import { checkWorkload, draftOf, workloadLines } from "./form-workload-draft";

const model = {
  nodes: new Map([["n1", {}], ["n2", {}]]), asks: new Map([["web-ask", {}]]),
  apps: new Map([["web", { id: "web", queue: "[gpu]root.a", state: "Running" }], ["old", { id: "old", queue: "root.a", state: "Completed" }]]),
} as unknown as Model;
const nodes: NodesDraft = { name: "n{}", count: "2", capacity: [{ type: "vcore", amount: "8" }, { type: "memory", amount: "" }], attributes: "zone=a", drained: false, partition: "" };
const ask: AskDraft = { id: "fit", count: "3", resources: [{ type: "vcore", amount: "500m" }], priority: "0", node: "", constraints: "", run: "", originator: false, preemptsOthers: true, preemptable: true,
  taskGroup: "", placeholder: false, atomic: false, gang: "", gangMin: "2", gangTimeout: "", gangFallback: false };

const plain: ApplicationDraft = {
  id: "app-1", partition: "", queue: "root.a", user: "ann", groups: "dev, ops", tags: "team=blue", withAsks: true, ask,
  isGang: false, placeholders: [{ type: "vcore", amount: "2" }], style: "Soft", timeout: "",
};

describe("names", () => {
  it("goes on with the next free numbers", () => {
    expect(namesOf("n{}", 2, (name) => model.nodes.has(name))).toEqual(["n3", "n4"]);
    expect(namesOf("gpu", 2, () => false)).toEqual(["gpu1", "gpu2"]);
    expect(namesOf("gpu", 1, () => false)).toEqual(["gpu"]);
    expect(freeName("web-ask", (name) => model.asks.has(name))).toBe("web-ask-2");
    expect(askIds("fit", 2)).toEqual(["fit-1", "fit-2"]);
  });
});

describe("forms", () => {
  it("makes nodes", () => {
    expect(checkNodes(nodes, model)).toEqual({ inputs: [
      { type: "node.add", id: "n3", capacity: { vcore: "8" }, attributes: { zone: "a" } }, { type: "node.add", id: "n4", capacity: { vcore: "8" }, attributes: { zone: "a" } },
    ] });
    expect(checkNodes({ ...nodes, name: "n1", count: "1", attributes: "", drained: true }, model)).toEqual({ errors: { name: "Expected another name, or {} for the next free number, found n1, which already exists." } });
  });

  it("makes an application with asks", () => {
    const draft = { ...plain, ask: { ...ask, priority: "7", run: "1h 30m", constraints: "zone=a|b", preemptsOthers: false } };
    expect(checkApplication(draft, model)).toEqual({ inputs: [
      { type: "app.add", id: "app-1", queue: "root.a", user: "ann", groups: ["dev", "ops"], tags: { team: "blue" } },
      { type: "ask.add", id: "fit", app: "app-1", resources: { vcore: "500m" }, count: 3, priority: 7, run: "1h30m", constraints: { zone: ["a", "b"] }, preempt_others: false },
    ] });
    expect(checkApplication({ ...draft, id: "old", withAsks: false }, model)).toMatchObject({ inputs: [{ id: "old" }] });
    expect(checkApplication({ ...draft, id: "web" }, model)).toEqual({ errors: { id: "Expected an ID of its own, found web, which is taken." } });
  });

  it("makes gangs, in the partition that is chosen and in a queue that the rules choose", () => {
    const gang = { ...plain, partition: "gpu", queue: " ", user: "", groups: "", tags: "", isGang: true, style: "Hard", timeout: "5m" } as const;
    const draft = { ...gang, ask: { ...ask, taskGroup: "workers", placeholder: true } };
    expect(checkApplication(draft, model)).toEqual({ inputs: [
      { type: "app.add", id: "app-1", partition: "gpu", placeholder_ask: { vcore: "2" }, gang_style: "Hard", placeholder_timeout: "5m" },
      { type: "ask.add", id: "fit", app: "app-1", resources: { vcore: "500m" }, count: 3, task_group: "workers", placeholder: true },
    ] });
    expect(checkApplication({ ...draft, placeholders: [], groups: "a, a", ask: { ...ask, placeholder: true } }, model)).toEqual({ errors: {
      "placeholders": "Expected at least one amount, found none.",
      "groups": "Expected each name once, found a twice.",
      "ask.taskGroup": "Expected the task group of the placeholder, found nothing.",
    } });
  });

  it("makes members of atomic gangs", () => {
    const member = { ...ask, atomic: true, gang: "ranks", gangMin: "3", gangTimeout: "90s" };
    expect(checkAsks("web", member, model)).toMatchObject({ inputs: [{ gang: "ranks", gang_min: 3, gang_timeout: "90s" }] });
    expect(checkAsks("web", { ...member, gangFallback: true }, model)).toMatchObject({ inputs: [{ gang_timeout: "90s", gang_fallback: "members" }] });
    expect(JSON.stringify(checkAsks("web", { ...member, gangTimeout: "", gangFallback: true }, model))).not.toContain("gang_fallback");
    expect(checkAsks("web", { ...member, gang: "", gangMin: "0", gangTimeout: "soon" }, model)).toEqual({ errors: {
      "ask.gang": "Expected the name of the gang, found nothing.",
      "ask.gangMin": "Expected a whole number from 1 to 2147483647, found “0”.",
      "ask.gangTimeout": "Expected a duration above 0, such as 90s, 5m or 1h30m, found “soon”.",
    } });
  });

  it("moves an application within its partition", () => {
    expect(checkMove({ app: "web", queue: "root.b" }, model)).toEqual({ inputs: [{ type: "app.move", id: "web", queue: "root.b" }] });
    expect(checkMove({ app: "web", queue: "root.a" }, model)).toEqual({ errors: { queue: "Expected another queue, found root.a, where it is already." } });
    expect(checkMove({ app: "old", queue: "" }, model)).toEqual({ errors: { app: "Expected a live application, found old.", queue: "Expected a queue without others below it, found nothing." } });
  });

  it("says of each field what was found and what was expected", () => {
    const wrong = { ...ask, id: "web-ask", count: "1", resources: [{ type: "memory", amount: "1.5" }, { type: "", amount: "2" }], priority: "high", node: "n9", run: "soon", constraints: "zone" };
    expect(checkAsks("none", wrong, model)).toEqual({ errors: {
      app: "Expected a live application, found none.",
      "ask.id": "Expected IDs of their own, found web-ask, which is taken.",
      "ask.resources.0": "Expected a whole number of bytes, found “1.5”.",
      "ask.resources.1": "Expected a name, such as nvidia.com/gpu, found an amount without a type.",
      "ask.priority": "Expected a whole number from -2147483648 to 2147483647, found “high”.",
      "ask.node": "Expected an existing node, or nothing, found n9.",
      "ask.constraints": "Expected name=value, with commas between them, found “zone”.",
      "ask.run": "Expected a duration above 0, such as 90s, 5m or 1h30m, found “soon”.",
    } });
  });

  it("wants one amount at least", () => {
    const read = new FormReader();
    read.amounts("all", [{ type: "vcore", amount: " " }]);
    expect(read.errors).toEqual({ all: "Expected at least one amount, found none." });
  });
});

describe("workload", () => {
  const options = { ...defaultWorkload(["root.a", "root.b"], ["vcore", "memory"]), start: 30 };

  it("comes back from its form as it went in", () => {
    const checked = checkWorkload(draftOf(options), 30);
    if (!("options" in checked)) throw new Error(JSON.stringify(checked.errors));
    // Amounts are texts by then; for the scheduler they are the same.
    expect(JSON.parse(`[${generate(checked.options).trim().replaceAll("\n", ",")}]`)).toHaveLength(generate(options).trim().split("\n").length);
    expect(checked.options).toMatchObject({ seed: options.seed, rate: options.rate, asks: options.asks, run: options.run, queues: options.queues, priorities: options.priorities });
  });

  it("says what is wrong with a line", () => {
    const draft = draftOf(options);
    const checked = checkWorkload({ ...draft, most: "0", sizes: [{ what: "vcore=x", weight: "1" }], queues: draft.queues.map((queue) => ({ ...queue, weight: "" })) }, 0);
    expect("errors" in checked && Object.keys(checked.errors)).toEqual(["most", "queues", "sizes.0.0"]);
  });

  it("takes the form of time of the journal", () => {
    const lines = workloadLines({ ...options, rate: 1, minutes: 1 }, "2026-03-01T10:00:00Z").trim().split("\n");
    const { at } = JSON.parse(lines[1] ?? "") as { at: string };
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse("2026-03-01T10:00:30Z"));
  });
});
