/** The page's side of the compiler: one text at a time, and what is under way can be cancelled. */

import type { Compiled } from "./compile";
import type { News, Order } from "./worker";

/** The compiler ended, could not be loaded, or was cancelled. */
export class CompilerEnded extends Error {}

interface Waiting {
  readonly id: number;
  readonly resolve: (compiled: Compiled) => void;
  readonly reject: (why: Error) => void;
}

let worker: Worker | undefined;
let waiting: Waiting | undefined;
let last = 0;

/** Loads the compiler, unless it is there. */
export function loadCompiler(): void {
  if (worker) return;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "compiler" });
  worker.onmessage = ({ data }: MessageEvent<News>) => take(data);
  worker.onerror = (event) => end(event.message || "the compiler could not be loaded; check the connection");
}

/** Compiles a text. What was being compiled is cancelled. */
export function compileText(text: string): Promise<Compiled> {
  if (waiting) cancelCompiler();
  loadCompiler();
  return new Promise((resolve, reject) => {
    waiting = { id: ++last, resolve, reject };
    worker?.postMessage({ id: last, text } satisfies Order);
  });
}

/** Ends what is being compiled, and the compiler with it: the next text starts another one. */
export function cancelCompiler(): void {
  end("it was cancelled");
}

function take(news: News): void {
  if (news.kind === "ready" || news.id !== waiting?.id) return;
  const { resolve, reject } = waiting;
  waiting = undefined;
  if (news.kind === "compiled") resolve(news.compiled);
  else reject(new CompilerEnded(news.why));
}

function end(why: string): void {
  worker?.terminate();
  worker = undefined;
  waiting?.reject(new CompilerEnded(why));
  waiting = undefined;
}
