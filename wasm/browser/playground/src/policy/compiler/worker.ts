/** The worker that the compiler runs in: it gets a text and returns the result. */

import { compile, type Compiled } from "./compile";

/** To the page: how far loading is, or the end of a compilation. */
export type News =
  | { readonly kind: "ready" }
  | { readonly kind: "compiled"; readonly id: number; readonly compiled: Compiled }
  | { readonly kind: "failed"; readonly id: number; readonly why: string };

export interface Order {
  readonly id: number;
  readonly text: string;
}

self.onmessage = ({ data: { id, text } }: MessageEvent<Order>) => {
  compile(text).then((compiled) => tell({ kind: "compiled", id, compiled }), (thrown: unknown) => tell({ kind: "failed", id, why: thrown instanceof Error ? thrown.message : String(thrown) }));
};

function tell(news: News): void {
  self.postMessage(news);
}

// The compiler is large: it is loaded before the first text comes.
import("assemblyscript/asc").then(() => tell({ kind: "ready" }), (thrown: unknown) => { throw thrown; });
