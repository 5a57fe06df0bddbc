// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { nextFrame } from "./next-frame";

let frames: FrameRequestCallback[] = [];
let hidden = false;

/** What the browser does when the page is hidden or shown. */
function hide(now: boolean): void {
  hidden = now;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => frames.push(call));
  vi.stubGlobal("cancelAnimationFrame", (id: number) => { frames[id - 1] = () => undefined; });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("is the next frame that is drawn", () => {
  const tick = vi.fn();
  nextFrame(tick);
  vi.runAllTimers();
  expect(tick).not.toHaveBeenCalled();
  frames[0]?.(16);
  expect(tick.mock.calls).toEqual([[16, true]]);
});

it("is a timer while nobody sees the page", () => {
  hidden = true;
  const tick = vi.fn();
  nextFrame(tick);
  vi.runAllTimers();
  frames[0]?.(16);
  expect(tick).toHaveBeenCalledExactlyOnceWith(expect.any(Number), false);
});

it("comes once, also where the page is hidden before the frame is drawn", () => {
  const tick = vi.fn();
  nextFrame(tick);
  hide(true);
  hide(false);
  hide(true);
  vi.runAllTimers();
  frames[0]?.(16);
  hide(true);
  vi.runAllTimers();
  expect(tick).toHaveBeenCalledTimes(1);
});
