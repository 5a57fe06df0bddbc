import { describe, expect, it } from "vitest";
import type { Played } from "./answers";
import { marksOf } from "./marks";

const step = (line: number, status: "passed" | "failed" | "skipped", message?: string) => ({ line, status, keyword: "When", text: "x", ...(message && { message }) });

describe("marks", () => {
  it("stand at scenarios and steps, with the reason at the step", () => {
    const played: Played = { name: "a", line: 2, status: "failed", message: "no", steps: [step(3, "passed"), step(4, "failed", "no"), step(5, "skipped")] };
    expect(marksOf([played])).toEqual([
      { line: 2, status: "failed" }, { line: 3, status: "passed" }, { line: 4, status: "failed", message: "no" }, { line: 5, status: "skipped" },
    ]);
  });

  it("show the worst of a line that is played several times, and with which example", () => {
    const row = (example: number, status: "passed" | "failed"): Played => ({ name: "a", line: 2, example, status, steps: [step(3, status, status === "failed" ? "no" : undefined)] });
    expect(marksOf([row(6, "passed"), row(7, "failed"), row(8, "passed")])).toEqual([
      { line: 2, status: "failed" }, { line: 3, status: "failed", message: "With the example in line 7: no" },
      { line: 6, status: "passed" }, { line: 7, status: "failed" }, { line: 8, status: "passed" },
    ]);
  });

  it("say what is missing where there is no step", () => {
    expect(marksOf([{ name: "a", line: 2, status: "undefined", message: "expected steps, found none", steps: [] }]))
      .toEqual([{ line: 2, status: "undefined", message: "expected steps, found none" }]);
  });

  it("leave out what was not played", () => {
    expect(marksOf([{ name: "a", line: 2, steps: [{ line: 3, keyword: "When", text: "x" }] }])).toEqual([]);
  });
});
