import { expect, test } from "vitest";
import { mostKept, tooLarge } from "./bound";

test("a journal is kept up to a size, and beyond it the reason has both sizes", () => {
  const line = "x".repeat((1 << 20) - 1);
  expect(tooLarge(Array.from({ length: 32 }, () => line))).toBeUndefined();
  expect(tooLarge(Array.from({ length: 40 }, () => line))).toBe("its journal has 40 MiB, and at most 32 MiB are kept");
  expect(mostKept).toBe(32 << 20);
});
