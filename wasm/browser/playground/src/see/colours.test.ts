import { expect, test } from "vitest";
import { colourCount, hueOf, mix, variantCount } from "./colours";

test("the first applications differ in colour, the next ones in how it is drawn", () => {
  const hues = Array.from({ length: colourCount * variantCount }, (_, i) => hueOf(`app-${i}`));
  expect(new Set(hues.slice(0, colourCount).map((hue) => hue.colour)).size).toBe(colourCount);
  expect(new Set(hues.map((hue) => `${hue.colour}/${hue.variant}`)).size).toBe(hues.length);
});

test("an application keeps its hue, however many come", () => {
  const before = hueOf("app-3");
  for (let i = 0; i < 6000; i++) hueOf(`more-${i}`);
  expect(hueOf("app-3")).toEqual(before);
  expect(hueOf("more-5999")).toEqual(hueOf("more-5999"));
});

test("colours are mixed by channel", () => {
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mix("#0067a5", "#0067a5", 0.3)).toBe("#0067a5");
  expect(mix("rebeccapurple", "#ffffff", 0.5)).toBe("rebeccapurple");
});
