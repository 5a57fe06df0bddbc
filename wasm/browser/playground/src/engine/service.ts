/** The worker's side: serves requests, one after the other, until the module traps. */

import type { Progress } from "./client";
import { refusal, type Call, type Hear } from "./reactor";
import type { News, Order } from "./protocol";

/** The end of a channel that the worker holds. */
export interface Port {
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  postMessage(news: News, transfer?: Transferable[]): void;
  close(): void;
}

type Load = Extract<Order, { kind: "load" }>;

/** Starts a module, which it fetches and compiles where it is not given; it then says what it compiled. */
type Loader = (order: Load, progress: Progress, hear: Hear, compiled: (module: WebAssembly.Module) => void) => Promise<Call>;

/** Serves what comes through a port. What is no order is refused if it has an id, and passed over otherwise. */
export function serve(port: Port, loader: Loader): void {
  let call: Call | undefined;
  const crash = (thrown: unknown): void => {
    call = undefined;
    port.onmessage = null;
    port.postMessage({ kind: "crashed", why: thrown instanceof Error ? thrown.message : String(thrown) });
    port.close();
  };
  const start = async (order: Load): Promise<void> => {
    call = await loader(order, (loaded, total, waits) => { port.postMessage({ kind: "progress", loaded, total, waits }); },
      (line) => { port.postMessage({ kind: "log", line }); }, (module) => { port.postMessage({ kind: "compiled", module }); });
    port.postMessage({ kind: "ready" });
  };
  const answer = (id: number, bytes: Uint8Array<ArrayBuffer>): void => { port.postMessage({ kind: "answer", id, answer: bytes.buffer }, [bytes.buffer]); };
  port.onmessage = ({ data }) => {
    if (isLoad(data)) {
      start(data).catch(crash);
    } else if (!isCall(data)) {
      const id = idOf(data);
      if (id !== undefined) answer(id, refusal("bad-request", "expected an order to call, with the bytes of a request"));
    } else if (!call) {
      answer(data.id, refusal("bad-request", "the scheduler is not loaded yet"));
    } else {
      try {
        answer(data.id, call(new Uint8Array(data.request)));
      } catch (thrown) {
        crash(thrown);
      }
    }
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isLoad(data: unknown): data is Load {
  return isFields(data) && data.kind === "load" && typeof data.address === "string" && (data.module === undefined || data.module instanceof WebAssembly.Module);
}

function isCall(data: unknown): data is Extract<Order, { kind: "call" }> {
  return isFields(data) && data.kind === "call" && typeof data.id === "number" && data.request instanceof ArrayBuffer;
}

function idOf(data: unknown): number | undefined {
  return isFields(data) && typeof data.id === "number" ? data.id : undefined;
}

function isFields(data: unknown): data is Fields {
  return typeof data === "object" && data !== null;
}
