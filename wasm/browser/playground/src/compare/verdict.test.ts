import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agreeing, evidence, median } from "./evidence";
import { verdictText, type Figure } from "./verdict";

interface Case { readonly a: string; readonly b: string; readonly figures: readonly Figure[]; readonly text: string }

const cases = JSON.parse(readFileSync(new URL("../../../../../host/report/summary/testdata/verdicts.json", import.meta.url), "utf8")) as readonly Case[];

test.each(cases)("$text", ({ a, b, figures, text }) => {
  expect(verdictText(a, b, figures)).toBe(text);
});

test("a difference needs all of five to seven runs, and all but one of eight and more", () => {
  const against = (runs: number, dissenting: number) => ({ a: Array<number>(runs).fill(10), b: Array.from({ length: runs }, (_, i) => (i < dissenting ? 12 : 8)) });
  expect([1, 5, 7, 8, 20].map(agreeing)).toEqual([1, 5, 7, 7, 19]);
  expect(evidence(against(1, 0))).toBe("less");
  expect(evidence(against(4, 0))).toBe("few");
  expect(evidence(against(5, 0))).toBe("less");
  expect(evidence(against(5, 1))).toBe("noise");
  expect(evidence(against(7, 1))).toBe("noise");
  expect(evidence(against(8, 1))).toBe("less");
  expect(evidence(against(8, 7))).toBe("more");
  expect(evidence(against(8, 2))).toBe("noise");
  expect(evidence({ a: [1, 1, 1, 1, 1], b: [0, 0, 0, 0, 1] })).toBe("noise");
  expect(evidence({ a: [3, 4], b: [3, 4] })).toBe("same");
});

test("the median is a value that was measured", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2);
  expect(median([])).toBe(0);
});
