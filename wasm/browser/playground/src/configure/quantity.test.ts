import { expect, it } from "vitest";
import { drawsFrom } from "../model/draws";
import { parseQuantity } from "../model/quantities";
import { quantity } from "./quantity";

it("an amount is read as it was written", () => {
  const draw = drawsFrom(3);
  for (const type of ["vcore", "memory", "gpu"]) {
    for (let i = 0; i < 500; i++) {
      const amount = draw.below(2 ** (1 + draw.below(40))) * (i % 2 === 0 ? 1 : 1024);
      expect(parseQuantity(type, quantity(type, amount))).toBe(amount);
    }
  }
});
