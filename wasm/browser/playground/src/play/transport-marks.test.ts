import { expect, test } from "vitest";
import { marksWords, nextOf, ticksAt } from "./transport-marks";

test("times that fall on one place are one tick, and what lies beyond the end is none", () => {
  expect(ticksAt([0, 5e9, 5e9 + 1, 10e9, 11e9], 10e9, 0, 4)).toBe("M0 0V4M500 0V4M1000 0V4");
  expect(ticksAt([], 10e9, 0, 4)).toBe("");
});

test("the marks are counted in words", () => {
  expect(marksWords({ preemptions: [], reloads: [] })).toBe("");
  expect(marksWords({ preemptions: [1], reloads: [] })).toBe("1 preemption is marked");
  expect(marksWords({ preemptions: [1, 2], reloads: [3] })).toBe("2 preemptions and 1 change of the configuration are marked");
});

test("the next mark lies behind the present", () => {
  expect(nextOf([1, 5, 9], 5)).toBe(9);
  expect(nextOf([1, 5, 9], 9)).toBeUndefined();
});
