import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "./follower";
import { followVersion, simulated } from "./version";

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
  says({ version: "v1", demo: true });
  await live();
  expect(asked.mock.calls.map(([path]) => path)).toEqual(["v1/version"]);
  expect(simulated.value).toBe(true);
  connection.value = { state: "live" };
  expect(asked).toHaveBeenCalledTimes(1);

  lost();
  expect(simulated.value).toBe(true); // what is shown is still of the simulated cluster
  says({ title: "busy" }, 503);
  await live();
  expect(simulated.value).toBe(true);

  lost();
  says({ version: "v1" });
  await live();
  expect(asked).toHaveBeenCalledTimes(3);
  expect(simulated.value).toBe(false);
});

test("an answer that comes after the next connection does not count", async () => {
  let late: (response: Response) => void = () => undefined;
  answers.push(() => new Promise((resolve) => { late = resolve; }));
  lost();
  await live();
  lost();
  says({ version: "v1" });
  await live();
  late(Response.json({ version: "v1", demo: true }));
  await vi.advanceTimersByTimeAsync(1);
  expect(simulated.value).toBe(false);
});
