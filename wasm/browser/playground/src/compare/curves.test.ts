import { expect, test } from "vitest";
import { joined } from "./curves";

test("means hold since the point before", () => {
  expect(joined({ x: [10, 20], y: [1, 2] }, { x: [15], y: [3] }, "since")).toEqual({ x: [10, 15, 20], a: [1, 2, 2], b: [3, 3, null] });
});

test("shares of all that do not exceed a value hold from there on", () => {
  expect(joined({ x: [0, 10], y: [0.5, 1] }, { x: [5], y: [1] }, "from")).toEqual({ x: [0, 5, 10], a: [0.5, 0.5, 1], b: [0, 1, 1] });
  expect(joined({ x: [], y: [] }, { x: [5], y: [1] }, "from")).toEqual({ x: [5], a: [null], b: [1] });
});
