import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Decision } from "../../engine/types";
import { Problem } from "./api";
import { Follower, silence, type Connection } from "./follower";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

/** A host whose streams are written by hand. */
function host() {
  const asked: (number | undefined)[] = [];
  const heard: number[] = [];
  const said: Connection[] = [];
  let gaps = 0;
  let answer: () => Promise<Response> = () => Promise.reject(new TypeError("not there"));
  let write: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const follower = new Follower({
    open(behind, abort) {
      asked.push(behind);
      return answer().then((response) => {
        abort.addEventListener("abort", () => { end(); });
        return response;
      });
    },
    hear(decisions: readonly Decision[]) { heard.push(...decisions.map(({ seq }) => seq)); },
    gap() { gaps++; },
    say(connection) { said.push(connection); },
    wordsOf: String,
  });
  const serves = () => {
    answer = () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          write = (text) => { controller.enqueue(new TextEncoder().encode(text)); };
          end = () => { try { controller.close(); } catch { /* it has ended */ } };
        },
      });
      return Promise.resolve(new Response(body));
    };
  };
  return {
    follower, asked, heard, said, serves,
    refuses: (problem: Problem) => { answer = () => Promise.reject(problem); },
    write: (...seqs: number[]) => { write(seqs.map((seq) => `id: ${seq}\ndata: {"seq":${seq}}\n\n`).join("")); },
    writeText: (text: string) => { write(text); },
    end: () => { end(); },
    get gaps() { return gaps; },
    get state() { return said.at(-1)?.state; },
  };
}

const settle = () => vi.advanceTimersByTimeAsync(1);

test("it goes on behind the last decision that it heard", async () => {
  const h = host();
  h.serves();
  h.follower.start();
  await settle();
  h.write(3, 4);
  await settle();
  h.end();
  await settle();
  expect(h.state).toBe("lost");
  await vi.advanceTimersByTimeAsync(1000);
  h.write(5);
  await settle();
  expect(h.asked).toEqual([undefined, 4]);
  expect(h.heard).toEqual([3, 4, 5]);
  expect(h.state).toBe("live");
  h.follower.stop();
});

test("it tries again ever more seldom, and at most every 20 seconds or so", async () => {
  const h = host();
  h.follower.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(h.asked.length).toBeGreaterThanOrEqual(4);
  expect(h.asked.length).toBeLessThanOrEqual(6);
  const before = h.asked.length;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(h.asked.length - before).toBeGreaterThanOrEqual(6);
  expect(h.asked.length - before).toBeLessThanOrEqual(12);
  h.follower.stop();
});

test("what is compacted, or a host that has not come so far, is begun with anew", async () => {
  for (const status of [410, 400]) {
    const h = host();
    h.serves();
    h.follower.start();
    await settle();
    h.write(9);
    await settle();
    h.refuses(new Problem(status, {}));
    h.end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(h.gaps).toBe(1);
    h.serves();
    await vi.advanceTimersByTimeAsync(3000);
    expect(h.asked.at(-1)).toBeUndefined();
    expect(h.state).toBe("live");
    h.follower.stop();
  }
});

test("a host that stops says so", async () => {
  const h = host();
  h.serves();
  h.follower.start();
  await settle();
  h.writeText("event: end\ndata: {\"reason\":\"stopping\"}\n\n");
  h.end();
  await settle();
  expect(h.said.at(-1)).toMatchObject({ state: "lost", why: "The host is stopping." });
  h.follower.stop();
});

test("without a token it waits for one", async () => {
  const h = host();
  h.refuses(new Problem(401, { title: "Who are you?" }));
  h.follower.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(h.asked).toHaveLength(1);
  expect(h.said.at(-1)).toEqual({ state: "barred", why: "Who are you?" });
  h.follower.stop();
});

test("a stream without a sign of life is given up", async () => {
  const h = host();
  h.serves();
  h.follower.start();
  await settle();
  expect(h.state).toBe("live");
  await vi.advanceTimersByTimeAsync(silence + 1000);
  expect(h.asked.length).toBeGreaterThan(1);
  h.follower.stop();
});
