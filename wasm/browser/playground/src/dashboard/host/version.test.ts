import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "./follower";
import { heardAt, hostNow, lapse, minuteOf, timeOfDay } from "./times";
import { followVersion } from "./version";

const connection = signal<Connection>({ state: "connecting" });
followVersion(connection);
const answers: (() => Promise<Response>)[] = [];
const asked = vi.fn((path: string) => {
  const answer = answers.shift();
  if (!answer) throw new Error(`no answer to ${path}`);
  return answer();
});
const says = (body: object, status = 200) => { answers.push(() => Promise.resolve(Response.json(body, { status }))); };
const live = async () => {
  connection.value = { state: "live" };
  await vi.advanceTimersByTimeAsync(1);
};
const demo = { version: "v1", demo: true, demo_speed: 60, demo_time: "2026-11-23T12:00:00Z" };
const lost = () => { connection.value = { state: "lost", why: "gone", again: 0 }; };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", asked);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("the version is read once for each connection, and tells whether the cluster is simulated", async () => {
  expect(asked).not.toHaveBeenCalled();
  says(demo);
  await live();
  expect(asked.mock.calls.map(([path]) => path)).toEqual(["v1/version"]);
  expect(lapse.value?.speed).toBe(60);
  connection.value = { state: "live" };
  expect(asked).toHaveBeenCalledTimes(1);

  lost();
  expect(lapse.value?.speed).toBe(60); // what is shown is still of the simulated cluster
  says({ title: "busy" }, 503);
  await live();
  expect(lapse.value?.speed).toBe(60);

  lost();
  says({ version: "v1" });
  await live();
  expect(asked).toHaveBeenCalledTimes(3);
  expect(lapse.value).toBeUndefined();
});

test("an answer that comes after the next connection does not count", async () => {
  let late: (response: Response) => void = () => undefined;
  answers.push(() => new Promise((resolve) => { late = resolve; }));
  lost();
  await live();
  lost();
  says({ version: "v1" });
  await live();
  late(Response.json(demo));
  await vi.advanceTimersByTimeAsync(1);
  expect(lapse.value).toBeUndefined();
});

test("the clock of a simulated cluster runs at its speed, and is set by what is decided", async () => {
  lost();
  says(demo);
  await live();
  vi.setSystemTime(Date.now() + 10_000);
  expect(timeOfDay(hostNow())).toBe("12:10:00");
  expect(minuteOf(hostNow())).toBe("23 Nov, 12:10");
  heardAt("2026-11-23T12:10:30Z"); // it was further than thought
  expect(timeOfDay(hostNow())).toBe("12:10:30");
  heardAt("2026-11-23T12:09:30Z"); // what was decided a second ago comes late
  expect(timeOfDay(hostNow())).toBe("12:10:30");
  expect(timeOfDay("2026-11-22T23:59:59Z")).toMatch(/^22 Nov/);
  vi.setSystemTime(Date.now() + 3_600_000); // the host stood still
  heardAt("2026-11-23T12:11:00Z");
  expect(timeOfDay(hostNow())).toBe("12:11:00");
});
