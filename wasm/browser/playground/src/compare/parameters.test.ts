import { describe, expect, test } from "vitest";
import type { ModuleParameter } from "../engine/modules";
import { expectation, readTexts, textOf } from "./parameters";

const declared: Record<string, ModuleParameter> = {
  alpha: { type: "number", default: 0.5, min: 0, max: 1 },
  count: { type: "integer", default: 2, min: 1 },
  on: { type: "boolean", default: true },
  how: { type: "text", default: "dot", values: ["dot", "cosine"] },
  free: { type: "text", default: "zone" },
  shapes: { type: "numbers", default: [1, 2] },
  weights: { type: "weights", default: { vcore: 1, memory: 2 }, min: 0 },
};

describe("parameters", () => {
  test("are written and read back", () => {
    const texts = Object.fromEntries(Object.entries(declared).map(([name, p]) => [name, textOf(p, p.default)]));
    expect(texts.weights).toBe("vcore: 1, memory: 2");
    const { values, wrong } = readTexts(declared, texts);
    expect(wrong).toEqual({});
    expect(values).toEqual(Object.fromEntries(Object.entries(declared).map(([name, p]) => [name, p.default])));
  });

  test("lists may be empty", () => {
    expect(readTexts(declared, { shapes: "", weights: " " }).values).toEqual({ shapes: [], weights: {} });
  });

  test.each([
    ["alpha", "1.5", "Expected a number from 0 to 1, found “1.5”."],
    ["alpha", "", "Expected a number from 0 to 1, found nothing."],
    ["count", "1.5", "Expected a whole number of at least 1, found “1.5”."],
    ["on", "yes", "Expected true or false, found “yes”."],
    ["how", "cos", "Expected one of dot, cosine, found “cos”."],
    ["shapes", "1,,2", "Expected numbers with commas between them, found “1,,2”."],
    ["weights", "vcore 1", "Expected name: number, with commas between them, of at least 0, found “vcore 1”."],
    ["weights", "vcore: -1", "Expected name: number, with commas between them, of at least 0, found “vcore: -1”."],
  ])("%s: %s is refused", (name, text, said) => {
    const { values, wrong } = readTexts(declared, { [name]: text });
    expect(wrong[name]).toBe(said);
    expect(values).toEqual({});
  });

  test("what is not declared is left out", () => {
    expect(readTexts(declared, { gone: "1" })).toEqual({ values: {}, wrong: {} });
    expect(expectation({ type: "text", default: "" })).toBe("a text");
  });
});
