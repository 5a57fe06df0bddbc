import { beforeAll, describe, expect, it } from "vitest";
import type { Sentence } from "./answers";
import { runnerIsBuilt, startRunner } from "./runner.fixture";
import { spotOf, template, variants } from "./sentences";

describe("where the cursor is", () => {
  const feature = 'Feature: x\n  Scenario: y\n    Given a node "n" with 1 vcore\n    And ';

  it("is behind a keyword, and an And goes on with what stands above it", () => {
    expect(spotOf(feature)).toEqual({ kind: "step", keyword: "Given", from: feature.length });
    expect(spotOf(`${feature}x\n    Then it`)).toEqual({ kind: "step", keyword: "Then", from: feature.length + 11 });
    expect(spotOf("  Scenario: y\n    And ")).toEqual({ kind: "step", keyword: undefined, from: 22 });
  });

  it("is at the beginning of a line", () => {
    expect(spotOf("  Sce")).toEqual({ kind: "keyword", from: 2 });
    expect(spotOf("")).toEqual({ kind: "keyword", from: 0 });
  });

  it("is nowhere in tables, titles, comments and blocks of text", () => {
    for (const text of ["  | a", "Feature: a", "# Given ", '    Given x:\n      """\n      Given ']) expect(spotOf(text)).toBeUndefined();
  });
});

describe("a sentence", () => {
  it("comes without and with what may be left out", () => {
    expect(variants("{names} ask[s] in {queue} for {resources}[ with priority {number}]")).toEqual([
      "{names} ask in {queue} for {resources}", "{names} ask in {queue} for {resources} with priority {number}",
    ]);
    expect(variants("{duration} pass[es]")).toEqual(["{duration} pass"]);
  });

  it("becomes a template, with fields of their own", () => {
    expect(template({ takes: "", doc: "" }, "{name} preempts {names} on {name}")).toBe('"${1:name}" preempts "${2:name}" on "${3:name}"');
    expect(template({ takes: "", doc: "" }, "{names} {is|are} released")).toBe('"${1:name}" ${2:is} released');
    expect(template({ takes: "table", doc: "nodes, a line each: columns node, capacity, occupied, attributes" }, "the nodes:"))
      .toBe("the nodes:\n  | node | capacity | occupied |\n  | ${} | ${} | ${} |");
    expect(template({ takes: "text", doc: "" }, "the configuration:")).toBe('the configuration:\n  """\n  ${}\n  """');
  });
});

describe.skipIf(!runnerIsBuilt)("every sentence of the runner (needs make core-wasm)", () => {
  let all: readonly Sentence[] = [];
  beforeAll(async () => { all = (await startRunner())("steps", {}).steps; });

  it("is matched by its own template, as it is put in", () => {
    expect(all.length).toBeGreaterThan(50);
    for (const sentence of all) {
      for (const form of variants(sentence.form)) {
        const line = (template(sentence, form).split("\n")[0] ?? "").replace(/\$\{\d+:([^}]*)\}/g, "$1");
        expect(line).toMatch(new RegExp(sentence.pattern));
      }
    }
  });
});
