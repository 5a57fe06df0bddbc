/** A scheduler in this process, for tests: the worker's protocol without a worker. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Engine } from "./client";
import { instantiate, type Call } from "./reactor";
import type { News, Order } from "./protocol";
import { serve, type Port } from "./service";
import { connect, type Channel } from "./start";

/** What make builds, or what QUERN_CORE names; tests that need it are skipped where it is missing. */
const coreFile = process.env.QUERN_CORE ?? fileURLToPath(new URL("../../../../../build/core.wasm", import.meta.url));
export const hasCore = existsSync(coreFile);

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core, compiled once for all that is started of it. */
export function compiledCore(): Promise<WebAssembly.Module> {
  return (compiled ??= WebAssembly.compile(readFileSync(coreFile)));
}

/** Starts a core of its own. Each request may be looked at first; what that throws is a trap. */
export async function engineHere(before: () => void = () => undefined): Promise<Engine> {
  const module = await compiledCore();
  return connect(channelTo(async (hear) => {
    const call = await instantiate(module, hear);
    return (request) => {
      before();
      return call(request);
    };
  }), "");
}

/** A channel to a service that answers as a module, or what stands for it, does. */
export function channelTo(start: (hear: (line: string) => void) => Promise<Call>): Channel {
  const channel: Channel = {
    onmessage: null,
    onerror: null,
    postMessage: (order: Order) => { queueMicrotask(() => port.onmessage?.(new MessageEvent("message", { data: order }))); },
    terminate: () => { port.onmessage = null; },
  };
  const port: Port = {
    onmessage: null,
    postMessage: (news: News) => { queueMicrotask(() => channel.onmessage?.(new MessageEvent("message", { data: news }))); },
    close: () => undefined,
  };
  serve(port, (_address, _progress, hear) => start(hear));
  return channel;
}
