import { describe, expect, test } from "vitest";
import { Refused } from "../engine/client";
import { engineHere, hasCore } from "../engine/here";
import { compare } from "../compare/run";
import { presets } from "../learn/presets";
import { compile, type Compiled } from "./compiler/compile";
import { examples } from "./examples";
import nodeOrder from "./examples/node-order.txt?raw";
import { settingsOf } from "./files";
import { ofCheck, ofRefusal, ofRemark, type Problem } from "./problems";
import { withPolicy } from "./run";
import type { Check } from "./tester";
import { testerHere, testerIsBuilt } from "./tester.fixture";

// Needs what make core-wasm builds: the core, and the checks of policies. What is missing is skipped by name.
const patience = 120_000;

/** The body of the function of the point, replaced. */
function answering(statement: string): string {
  const changed = nodeOrder.replace(/frame\.answer\(row, 0, .*\);/, statement);
  if (changed === nodeOrder) throw new Error("expected the example to answer in one line");
  return changed;
}

function lineWith(text: string, words: string): number {
  return text.split("\n").findIndex((line) => line.includes(words)) + 1;
}

async function compiled(text: string): Promise<Compiled & { module: Uint8Array<ArrayBuffer> }> {
  const done = await compile(text);
  if (!done.module) throw new Error(done.remarks.map((remark) => remark.text).join("; "));
  return { ...done, module: done.module };
}

/** What gate and trial say of a text that compiles; undefined: it passes. */
async function refusal(text: string): Promise<Problem | undefined> {
  const done = await compiled(text);
  const lines: string[] = [];
  const { ask } = await testerHere((line) => lines.push(line));
  try {
    await ask("open", {}, done.module);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return ofRefusal(thrown.error, text, done, lines);
  }
}

/** The checks of the contract, in their order. */
async function contract(done: Compiled & { module: Uint8Array<ArrayBuffer> }): Promise<{ check: Check; lines: readonly string[] }[]> {
  let lines: string[] = [];
  const { ask } = await testerHere((line) => lines.push(line));
  const { checks } = await ask("open", {}, done.module);
  const list = [];
  for (let index = 0; index < checks; index++) {
    lines = [];
    list.push({ check: (await ask("check", { index })).check, lines });
  }
  return list;
}

describe("the compiler", () => {
  test("makes the same bytes twice, without its source map in them", async () => {
    const [one, two] = [await compiled(nodeOrder), await compiled(nodeOrder)];
    expect(one.module).toEqual(two.module);
    expect(WebAssembly.Module.customSections(new WebAssembly.Module(one.module), "sourceMappingURL")).toEqual([]);
    expect(one.map).toContain("policy.ts");
  }, patience);

  test("says where an error is", async () => {
    const text = answering("frame.answer(row, 0, pric.at(row));");
    const { module, remarks } = await compile(text);
    expect(module).toBeUndefined();
    const [problem] = remarks.map((remark) => ofRemark(remark, text));
    expect(problem).toMatchObject({ severity: "error", by: "Compiler", line: lineWith(text, "pric.at") });
    expect(problem?.text).toContain("pric");
    expect(text.slice(problem?.at?.from, problem?.at?.to)).toBe("pric");
  }, patience);
});

describe.skipIf(!testerIsBuilt)("gate and trial", () => {
  test.each(examples.map(({ name, text }) => [name, text]))("take the example: %s", async (_, text) => {
    expect(await refusal(text)).toBeUndefined();
  }, patience);

  test("refuse a loop without an end, with its function", async () => {
    const text = answering("for (let n: f64 = 0; n >= 0; n++) frame.answer(row, 0, n);");
    const problem = await refusal(text);
    expect(problem).toMatchObject({ by: "Trial", severity: "error" });
    expect(problem?.text).toMatch(/fuel.*A loop without an end/s);
    expect(problem?.text).toMatch(/in the code of lines \d+ to \d+/);
  }, patience);

  test("refuse a call that traps, with its function", async () => {
    const text = answering("if (price.at(row) >= 0) unreachable();");
    const problem = await refusal(text);
    expect(problem?.text).toContain("unreachable");
    expect(problem?.line).toBeGreaterThanOrEqual(lineWith(text, "export function node_score"));
    expect(problem?.line).toBeLessThanOrEqual(lineWith(text, "unreachable()"));
  }, patience);

  test("refuse a memory that starts too large", async () => {
    const problem = await refusal(`${nodeOrder}\nexport const table: usize = memory.data(32 << 20);\n`);
    expect(problem).toMatchObject({ by: "Gate" });
    expect(problem?.text).toMatch(/memory/i);
  }, patience);

  test("refuse a manifest that names a point for which nothing is exported, at its line", async () => {
    const text = nodeOrder.replace("export function node_score", "export function node_skore");
    expect(await refusal(text)).toMatchObject({ line: lineWith(text, '"points"') });
    const column = nodeOrder.replace("share:vcore", "pending:vcore");
    expect(await refusal(column)).toMatchObject({ line: lineWith(column, "pending:vcore") });
  }, patience);
});

describe.skipIf(!testerIsBuilt)("the contract", () => {
  test("is kept by the example, check by check as quern policy test has it", async () => {
    const list = await contract(await compiled(nodeOrder));
    expect(list.map(({ check }) => check.group)).toContain("limits");
    expect(list.filter(({ check }) => check.result !== "ok")).toEqual([]);
    expect(list).toHaveLength(23);
  }, patience);

  test("is broken by a policy that remembers, and that traps now and then", async () => {
    const remembers = answering("frame.answer(row, 0, fill++);");
    const broken = (await contract(await compiled(remembers))).filter(({ check }) => check.result === "failed").map(({ check }) => check.check);
    expect(broken).toContain("the same question gets the same answer");

    const text = answering("if (price.at(row) > 100) unreachable(); else frame.answer(row, 0, price.at(row));");
    const done = await compiled(text);
    const failed = (await contract(done)).find(({ check }) => check.result === "failed");
    const problem = failed && ofCheck(failed.check, text, done, failed.lines);
    expect(problem?.text).toContain("unreachable");
    expect(problem?.line).toBeGreaterThanOrEqual(lineWith(text, "export function node_score"));
  }, patience);
});

describe.skipIf(!testerIsBuilt || !hasCore)("a run", () => {
  test("against a lesson differs where the policy decides", async () => {
    const lesson = presets.find(({ name }) => name === "first-steps");
    if (!lesson) throw new Error("expected the first lesson");
    const { module } = await compiled(answering("frame.answer(row, 0, <f64>row);"));
    const { ask } = await testerHere(() => undefined);
    const { loaded } = await ask("open", {}, module);
    const plain = { policies: {}, queue: "root", modules: [] };
    const { parting, b } = await compare([() => lesson.scenario], plain, withPolicy({ loaded, bytes: module }), { start: engineHere });
    expect(parting).toBeDefined();
    expect(b.figures.refused).toBeFalsy();
    expect(b.figures.faults).toBe(0);
  }, patience);
});

describe.skipIf(!testerIsBuilt)("the settings", () => {
  test("pin the module and name its parameters", async () => {
    const { module } = await compiled(nodeOrder);
    const { ask } = await testerHere(() => undefined);
    const { loaded } = await ask("open", {}, module);
    const text = settingsOf({ loaded });
    expect(text).toContain(`sha256 = "${loaded.sha256}"`);
    expect(text).toContain("# fill = 0.5");
  }, patience);
});
