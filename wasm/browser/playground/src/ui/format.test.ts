import { expect, it } from "vitest";
import { amount, amounts, count, duration, precise, share, short } from "./format";

it.each([
  ["vcore", 1500, "1.5"], ["vcore", 4000, "4"], ["vcore", 36_544_500, "36,544.5"], ["vcore", 1, "0.001"], ["memory", 2 ** 31, "2 GiB"], ["memory", 1536, "1.5 KiB"], ["memory", 0, "0 B"], ["memory", -(2 ** 30), "−1 GiB"], ["nvidia.com/gpu", 4, "4"], ["pods", 12_000, "12,000"],
])("writes %s %d as %s", (type, stored, text) => expect(amount(type, stored)).toBe(text));

it.each([
  ["vcore", 1500, "1.5"], ["vcore", 1_234_567, "1,235"], ["vcore", 9_999_000, "9,999"], ["vcore", 9_999_900, "10k"], ["vcore", 36_494_000, "36.5k"],
  ["vcore", -36_494_000, "−36.5k"], ["nvidia.com/gpu", 1_250_000, "1.25M"], ["nvidia.com/gpu", 999_999, "1M"], ["memory", 2 ** 34, "16 GiB"], ["pods", 9e15, "9P"],
])("shortens %s %d to %s", (type, stored, text) => { expect(short(type, stored)).toBe(text); });

it("writes a set with vcore and memory first", () => {
  expect(amounts({ gpu: 1, memory: 2 ** 30, vcore: 500 })).toBe("0.5 vcore, 1 GiB memory, 1 gpu");
  expect(amounts({ vcore: 0 })).toBe("nothing");
  expect(amounts(undefined)).toBe("nothing");
});

it.each([[0, "0s"], [3, "3ns"], [1500, "1.5µs"], [3.5e8, "350ms"], [1234567, "1.23ms"], [999_999_997, "1s"], [9_999_999_997, "10s"], [10_000_000_003, "10s"], [59_999_999_999, "1m"], [3_599_999_999_999, "1h"], [12.5e9, "12.5s"], [90e9, "1m30s"], [59.96e9, "1m"], [7500e9, "2h5m"], [3600e9, "1h"], [273_600e9, "3d4h"], [-5e9, "−5s"]])("writes %d ns as %s", (ns, text) => expect(duration(ns)).toBe(text));

it.each([[9_999_999_997, "10s"], [90_123_456_789, "1m30.123s"], [3600e9, "1h"], [3660e9, "1h1m"], [3605e9, "1h0m5s"], [500, "500ns"], [0, "0s"]])("writes the moment %d ns as %s", (ns, text) => expect(precise(ns)).toBe(text));

it("writes shares and counts", () => {
  expect([share(0.42), share(0.004), share(0), share(1.2)]).toEqual(["42%", "0.4%", "0%", "120%"]);
  expect([count(1, "node"), count(1000, "node"), count(2, "queue is", "queues are")]).toEqual(["1 node", "1,000 nodes", "2 queues are"]);
});
