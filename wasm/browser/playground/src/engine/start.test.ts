import { describe, expect, it } from "vitest";

import { drawsFrom } from "../model/draws";
import { Crashed, Refused } from "./client";
import { channelTo, engineHere, hasCore } from "./here";
import type { News } from "./protocol";
import { serve, type Port } from "./service";
import { Session } from "./session";
import { connect } from "./start";
import type { Heads } from "./types";

/** What a service answers to a message, whatever that is. */
async function answered(message: unknown, started: boolean): Promise<News[]> {
  const news: News[] = [];
  const port: Port = { onmessage: null, postMessage: (each) => news.push(each), close: () => news.push({ kind: "crashed", why: "closed" }) };
  serve(port, () => Promise.resolve((request) => new Uint8Array(request)));
  if (started) port.onmessage?.(new MessageEvent("message", { data: { kind: "load", address: "" } }));
  await Promise.resolve();
  await Promise.resolve();
  news.length = 0;
  port.onmessage?.(new MessageEvent("message", { data: message }));
  return news;
}

describe("the worker's side", () => {
  const junk = [
    undefined, null, 7, "call", [], {}, { kind: "call" }, { kind: "load" }, { kind: "load", address: 3 }, { kind: "call", id: "1", request: new ArrayBuffer(1) },
    { id: 4 }, { kind: "call", id: 4 }, { kind: "call", id: 4, request: "text" }, { kind: "call", id: 4, request: new Uint8Array(2) }, { kind: "free", id: 4 },
  ];

  it.each(junk)("refuses %j, or passes over what has no id", async (message) => {
    const news = await answered(message, true);
    const hasID = typeof message === "object" && message !== null && "id" in message && message.id === 4;
    expect(news.map(({ kind }) => kind)).toEqual(hasID ? ["answer"] : []);
    const [first] = news;
    if (first?.kind === "answer") expect(JSON.parse(new TextDecoder().decode(first.answer))).toHaveProperty("error.code", "bad-request");
  });

  it("refuses calls before it has loaded anything", async () => {
    const [news] = await answered({ kind: "call", id: 1, request: new ArrayBuffer(2) }, false);
    expect(news?.kind === "answer" && new TextDecoder().decode(news.answer)).toContain("not loaded yet");
  });

  it.skipIf(!hasCore)("lets the core refuse whatever comes in a request", async () => {
    const engine = await engineHere();
    const draw = drawsFrom(11);
    const ops = ["session.run", "session.feed", "session.new", "state", "explain", "policy.load", "check", "snapshot", "machine.restore", "nonsense", "session.seek", "replay"];
    const values: unknown[] = [0, -1, 1e300, "x", null, [], {}, { time: -5 }, { steps: 1e9, unit: "x" }, true, "root"];
    const keys = ["id", "to", "most", "kind", "name", "time", "seq", "what", "format", "grace", "surprise"];
    for (let i = 0; i < 600; i++) {
      const head = Object.fromEntries(Array.from({ length: draw.below(4) }, () => [keys[draw.below(keys.length)] ?? "", values[draw.below(values.length)]]));
      const body = new Uint8Array(draw.below(200)).map(() => draw.below(256));
      const op = (ops[draw.below(ops.length)] ?? "state") as keyof Heads;
      const outcome = await engine.request(op, head as never, body).catch((thrown: unknown) => thrown);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Refused);
    }
    await Session.begin(engine);
  });
});

describe("the page's side", () => {
  it("fails every request, open or to come, once the scheduler traps, and tells why", async () => {
    let calls = 0;
    const engine = await connect(channelTo(() => Promise.resolve(() => {
      if (++calls > 1) throw new WebAssembly.RuntimeError("unreachable");
      return new TextEncoder().encode('{"version":1,"abi":1}\n');
    })), "");
    const heard: string[] = [];
    engine.onCrash((why) => heard.push(why.message));
    expect((await engine.request("version", {})).answer.version).toBe(1);
    const open = [engine.request("version", {}), engine.request("version", {})];
    for (const request of open) await expect(request).rejects.toThrow(Crashed);
    await expect(engine.request("version", {})).rejects.toThrow("unreachable");
    expect(heard).toEqual(["unreachable"]);
  });

  it("says why a scheduler could not be started", async () => {
    await expect(connect(channelTo(() => Promise.reject(new Error("core.wasm.gz: expected a file"))), "")).rejects.toThrow("expected a file");
  });

  it("ends what is open when it is stopped, and calls that no crash", async () => {
    const engine = await connect(channelTo(() => Promise.resolve(() => new Uint8Array())), "");
    const heard: Crashed[] = [];
    engine.onCrash((why) => heard.push(why));
    const open = engine.request("version", {});
    engine.stop();
    await expect(open).rejects.toThrow("stopped");
    expect(heard).toEqual([]);
  });
});
