import { describe, expect, it } from "vitest";
import { fewRows, partsOf, type Part } from "./tree-window";

const same = (count: number, height = 20): number[] => Array.from({ length: count }, () => height);
const rowsIn = (parts: readonly Part[]): number[] => parts.flatMap((part) => ("row" in part ? [part.row] : []));
const heightOf = (parts: readonly Part[], heights: readonly number[]): number => parts.reduce((sum, part) => sum + ("row" in part ? heights[part.row] ?? 0 : part.gap), 0);

describe("the part of a tree that is drawn", () => {
  it("is all of a short one", () => {
    expect(rowsIn(partsOf(same(fewRows), { top: 1000, height: 100 }, 0))).toHaveLength(fewRows);
  });

  it("is what is in sight of a long one, with gaps as high as the rest", () => {
    const heights = same(20_000);
    const parts = partsOf(heights, { top: 100_000, height: 400 }, 5010);
    const rows = rowsIn(parts);
    expect(rows).toContain(5000);
    expect(rows).toContain(5019);
    expect(rows.length).toBeLessThan(60);
    expect(heightOf(parts, heights)).toBe(400_000);
  });

  it("has the row with the focus, wherever that is", () => {
    const heights = same(1000);
    const parts = partsOf(heights, { top: 0, height: 400 }, 700);
    expect(rowsIn(parts)).toContain(700);
    expect(parts.filter((part) => "gap" in part)).toHaveLength(2);
    expect(heightOf(parts, heights)).toBe(20_000);
  });

  it("minds that rows are of different heights", () => {
    const heights = Array.from({ length: 1000 }, (_, i) => (i % 2 ? 10 : 90));
    const rows = rowsIn(partsOf(heights, { top: 25_000, height: 100 }, -1));
    expect(rows).toContain(500);
    expect(rows[0]).toBeGreaterThan(480);
  });

  it("ends with the last row, also where the view is beyond it", () => {
    const heights = same(1000);
    const rows = rowsIn(partsOf(heights, { top: 1_000_000, height: 400 }, -1));
    expect(rows.at(-1)).toBe(999);
    expect(rows.length).toBeLessThan(60);
  });
});
