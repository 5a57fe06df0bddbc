import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { apart, Asking, settles } from "./asking";

/** A question whose answers are given by hand. */
function question() {
  const open: ((answer: number) => void)[] = [];
  const heard: number[] = [];
  const asking = new Asking<number>(() => new Promise((resolve) => { open.push(resolve); }), (answer) => { heard.push(answer); });
  const answer = async (n: number) => {
    open.at(-1)?.(n);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { asking, heard, answer, asked: () => open.length };
}

describe("asking again", () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { vi.useRealTimers(); });

  it("waits until the cluster stands still", async () => {
    const q = question();
    for (let i = 0; i < 5; i++) {
      q.asking.changed(false);
      await vi.advanceTimersByTimeAsync(settles - 1);
    }
    expect(q.asked()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(q.asked()).toBe(1);
    await q.answer(1);
    expect(q.heard).toEqual([1]);
  });

  it("asks at most twice a second while it plays", async () => {
    const q = question();
    for (let ms = 0; ms < 3000; ms += 16) {
      q.asking.changed(true);
      await vi.advanceTimersByTimeAsync(16);
      await q.answer(ms);
    }
    expect(q.asked()).toBeLessThanOrEqual(3000 / apart + 1);
    expect(q.asked()).toBeGreaterThan(3);
    expect(q.heard.length).toBe(q.asked());
  });

  it("drops an answer that was overtaken, and asks again", async () => {
    const q = question();
    q.asking.now();
    q.asking.changed(false);
    await q.answer(1);
    expect(q.heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(settles);
    await q.answer(2);
    expect(q.heard).toEqual([2]);
  });

  it("shows an answer that was overtaken while it plays", async () => {
    const q = question();
    q.asking.now();
    q.asking.changed(true);
    await q.answer(1);
    expect(q.heard).toEqual([1]);
  });

  it("hears nothing more once it is stopped", async () => {
    const q = question();
    q.asking.now();
    q.asking.stop();
    await q.answer(1);
    q.asking.changed(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(q.heard).toEqual([]);
    expect(q.asked()).toBe(1);
  });
});
