/** The page's side of a worker with a scheduler. */

import { Crashed, type Engine, type Progress, type Reply } from "./client";
import { decode, encode } from "./message";
import type { News, Order } from "./protocol";
import type { Heads } from "./types";

/** The part of a Worker that is used here. */
export interface Channel {
  postMessage(order: Order, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<News>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Starts a scheduler in a worker of its own. */
export function startEngine(progress: Progress = () => undefined): Promise<Engine> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return connect(worker, new URL("core.wasm.gz", document.baseURI).href, progress);
}

/** By address. Further workers are ready sooner with what is compiled, and without a network. */
const compiled = new Map<string, WebAssembly.Module>();

/** Has a worker load a module, and waits until it serves. */
export async function connect(channel: Channel, address: string, progress: Progress = () => undefined): Promise<Engine> {
  const client = new Client(channel, progress, (module) => compiled.set(address, module));
  channel.postMessage({ kind: "load", address, module: compiled.get(address) });
  await client.ready;
  return client;
}

interface Waiting {
  readonly resolve: (answer: ArrayBuffer) => void;
  readonly reject: (why: Crashed) => void;
}

class Client implements Engine {
  readonly ready: Promise<void>;
  private readonly channel: Channel;
  private readonly open = new Map<number, Waiting>();
  private readonly logs: ((line: string) => void)[] = [];
  private readonly crashes: ((why: Crashed) => void)[] = [];
  private last = 0; // id given out
  private crashed: Crashed | undefined;
  private started: Waiting["reject"] | undefined;

  constructor(channel: Channel, progress: Progress, keep: (module: WebAssembly.Module) => void) {
    this.channel = channel;
    this.ready = new Promise((resolve, reject) => {
      this.started = reject;
      channel.onmessage = ({ data }) => {
        if (data.kind === "progress") progress(data.loaded, data.total, data.waits);
        else if (data.kind === "compiled") keep(data.module);
        else if (data.kind === "ready") resolve();
        else this.take(data);
      };
    });
    channel.onerror = (event) => { this.end(new Crashed(event.message || "the worker could not be started")); };
  }

  async request<Op extends keyof Heads>(op: Op, head: Heads[Op], body: Uint8Array | string = ""): Promise<Reply<Op>> {
    const request = encode(op, head, body).buffer;
    const bytes = await new Promise<ArrayBuffer>((resolve, reject) => {
      if (this.crashed) {
        reject(this.crashed);
        return;
      }
      this.open.set(++this.last, { resolve, reject });
      this.channel.postMessage({ kind: "call", id: this.last, request }, [request]);
    });
    return decode(new Uint8Array(bytes)) as Reply<Op>;
  }

  onLog(hear: (line: string) => void): void {
    this.logs.push(hear);
  }

  onCrash(hear: (why: Crashed) => void): void {
    if (this.crashed) hear(this.crashed);
    else this.crashes.push(hear);
  }

  stop(): void {
    this.crashes.length = 0;
    this.end(new Crashed("the scheduler was stopped"));
  }

  private take(news: News): void {
    if (news.kind === "answer") {
      this.open.get(news.id)?.resolve(news.answer);
      this.open.delete(news.id);
    } else if (news.kind === "log") {
      for (const hear of this.logs) hear(news.line);
    } else if (news.kind === "crashed") {
      this.end(new Crashed(news.why));
    }
  }

  private end(why: Crashed): void {
    if (this.crashed) return;
    this.crashed = why;
    this.channel.terminate();
    this.started?.(why);
    for (const { reject } of this.open.values()) reject(why);
    this.open.clear();
    for (const hear of this.crashes) hear(why);
  }
}
