import { describe, expect, it } from "vitest";

import { drawsFrom } from "./draws";
import { formatDuration, parseDuration, Times } from "./times";

describe("durations", () => {
  it.each([
    ["0s", 0], ["0", 0], ["1m30s", 90e9], ["1.5s", 1.5e9], ["1.1s", 1_100_000_000], ["2h0m0.25s", 7200.25e9], ["100ms", 1e8], ["1µs", 1e3], ["1us", 1e3], ["7ns", 7], ["-5s", -5e9], ["+5s", 5e9],
    [".5s", 5e8], ["1.s", 1e9], ["72h", 259_200e9],
  ])("reads %s", (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  it.each(["", "s", "1", "1x", "1s ", " 1s", "1s2", "1,5s", "--1s", "1:30"])("finds that %j is none", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([
    [0, "0s"], [7, "7ns"], [1500, "1.5µs"], [1_000_000, "1ms"], [2_500_000_001, "2.500000001s"], [90e9, "1m30s"], [3600e9, "1h0m0s"], [-5e9, "-5s"], [259_200e9, "72h0m0s"],
  ])("writes %i ns as Go does", (nanoseconds, text) => {
    expect(formatDuration(nanoseconds)).toBe(text);
  });

  it("reads what it writes", () => {
    const draw = drawsFrom(1);
    for (let i = 0; i < 2000; i++) {
      const nanoseconds = draw.below(10 ** (1 + draw.below(15)));
      expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
    }
  });
});

describe("the times of a journal", () => {
  it("are relative where it does not say when it starts", () => {
    const times = new Times();
    expect(times.of("1m30s")).toBe(90e9);
    expect(times.text(90e9)).toBe("1m30s");
  });

  it("count from the first where they are absolute, to the nanosecond and in any zone", () => {
    const times = new Times();
    expect(times.of("2026-03-01T09:00:00.000000001Z")).toBe(0);
    expect(times.of("2026-03-01T10:00:01.5+01:00")).toBe(1_499_999_999);
    expect(times.text(1_499_999_999)).toBe("2026-03-01T09:00:01.5Z");
    expect(times.text(59_999_999_999)).toBe("2026-03-01T09:01:00Z");
  });

  it("take another start over", () => {
    const times = new Times();
    expect(times.of("2026-03-01T09:00:10Z")).toBe(0);
    times.start = "2026-03-01T09:00:00Z";
    expect(times.of("2026-03-01T09:00:10Z")).toBe(10e9);
    expect(times.ofState(Date.UTC(2026, 2, 1, 9, 0, 1) * 1e6)).toBeCloseTo(1e9, -3);
  });
});
