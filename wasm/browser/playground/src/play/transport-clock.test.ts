import { expect, test } from "vitest";
import { clockOf, dateOf, speedsWith, speedWords } from "./transport-clock";

test("a clock", () => {
  expect(clockOf(0)).toBe("0:00.0");
  expect(clockOf(7.34e9)).toBe("0:07.3");
  expect(clockOf(90e9)).toBe("1:30.0");
  expect(clockOf(7510e9)).toBe("2:05:10");
  expect(clockOf((3 * 86_400 + 4 * 3600 + 5 * 60 + 6) * 1e9)).toBe("3d 04:05:06");
});

test("a date, where the journal has one", () => {
  expect(dateOf("2026-03-01T10:00:00Z", 90e9)).toBe("2026-03-01 10:01:30 UTC");
  expect(dateOf("", 90e9)).toBe("");
});

test("speeds", () => {
  expect(speedWords(10_000)).toBe("10,000×");
  expect(speedWords(Infinity)).toBe("max");
  expect(speedsWith(7)).toContain(7);
  expect(speedsWith(60)).toEqual(speedsWith(1));
});
