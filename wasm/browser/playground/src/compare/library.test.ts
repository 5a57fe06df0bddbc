import { beforeEach, expect, test, vi } from "vitest";
import { Crashed, Refused, type Engine } from "../engine/client";
import { startEngine } from "../engine/start";
import { candidates, examine, examineAgain, hasPassed, moduleOf, remove, rest, setText, stopTrying } from "./library";

vi.mock("../engine/start", () => ({ startEngine: vi.fn() }));

const stop = vi.fn();
const request = vi.fn<(op: string, head: object, body: Uint8Array) => Promise<unknown>>();
const passes = { answer: { name: "x", sha256: "00", points: ["node.score"], manifest: { points: {}, parameters: { alpha: { type: "number", default: 1, max: 5 } } }, report: {}, fuel: 1 } };
const file = (name: string, size = 3) => new File([new Uint8Array(size)], name);
const result = (at = 0) => candidates.value[at]?.result;

beforeEach(async () => {
  stopTrying();
  await Promise.resolve(); // what the test before held is stopped by then
  candidates.value = [];
  vi.clearAllMocks();
  vi.mocked(startEngine).mockResolvedValue({ request, stop, onCrash: vi.fn(), onLog: vi.fn() } as unknown as Engine);
});

test("a module that passes is set up by its parameters, and goes when it is removed", async () => {
  request.mockResolvedValue(passes);
  await examine(file("My Policy.wasm"));
  const [candidate] = candidates.value;
  expect(candidate?.name).toBe("my-policy");
  if (!candidate || !hasPassed(candidate)) throw new Error("it has passed");
  expect(moduleOf(candidate)?.parameters).toEqual({});
  setText("my-policy", "alpha", "4");
  expect(candidates.value.filter(hasPassed).map((one) => moduleOf(one)?.parameters)).toEqual([{ alpha: 4 }]);
  setText("my-policy", "alpha", "6");
  expect(candidates.value.filter(hasPassed).map(moduleOf)).toEqual([undefined]);
  await examineAgain(candidate, { fuel: 5 });
  expect(request).toHaveBeenLastCalledWith("policy.load", { name: "my-policy", limits: { fuel: 5 } }, expect.anything());
  remove("my-policy");
  expect(candidates.value).toEqual([]);
});

test("a refusal is kept with its reason, and a file that is far too large is not read", async () => {
  request.mockRejectedValue(new Refused({ code: "bad-module", reason: "bad-magic", message: "no" }));
  await examine(file("a.wasm"));
  expect(result()).toMatchObject({ kind: "refused", error: { reason: "bad-magic" } });
  await examine(file("b.wasm", 17 << 20));
  expect(result(1)).toMatchObject({ kind: "refused", error: { reason: "too-large" } });
  expect(request).toHaveBeenCalledTimes(1);
});

test("what never answers is given up after a while, with the worker that it holds, and the next one has a new worker", async () => {
  vi.useFakeTimers();
  request.mockReturnValueOnce(new Promise(() => undefined)).mockResolvedValueOnce(passes);
  const both = Promise.all([examine(file("slow.wasm")), examine(file("good.wasm"))]);
  await vi.advanceTimersByTimeAsync(31_000);
  await both;
  vi.useRealTimers();
  expect(result(0)).toEqual({ kind: "ended", why: "The gate and the trial took longer than 30 seconds" });
  expect(result(1)?.kind).toBe("passed");
  expect(stop).toHaveBeenCalledTimes(1);
  expect(startEngine).toHaveBeenCalledTimes(2);
});

test("it can be stopped, also while the scheduler is still loading", async () => {
  vi.mocked(startEngine).mockReturnValueOnce(new Promise(() => undefined));
  const examined = examine(file("a.wasm"));
  await vi.waitFor(() => expect(startEngine).toHaveBeenCalled());
  stopTrying();
  await examined;
  expect(result()).toEqual({ kind: "ended", why: "It was stopped" });
});

test("a scheduler that ends takes only what is tried with it", async () => {
  request.mockRejectedValueOnce(new Crashed("unreachable")).mockResolvedValueOnce(passes);
  await examine(file("a.wasm"));
  await examine(file("b.wasm"));
  expect(result(0)).toEqual({ kind: "ended", why: "Its trial failed: unreachable" });
  expect(result(1)?.kind).toBe("passed");
  rest();
  await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(1));
});
