/** What the page and the worker tell each other. Buffers change hands; nothing is copied. */

/** To the worker. The first message has it load a module; answers come in the order of the calls. */
export type Order =
  /** With the module where another worker has compiled it before. */
  | { readonly kind: "load"; readonly address: string; readonly module?: WebAssembly.Module }
  | { readonly kind: "call"; readonly id: number; readonly request: ArrayBuffer };

/** From the worker. */
export type News =
  | { readonly kind: "progress"; readonly loaded: number; readonly total: number; readonly waits?: string }
  | { readonly kind: "compiled"; readonly module: WebAssembly.Module }
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly answer: ArrayBuffer }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "crashed"; readonly why: string };
