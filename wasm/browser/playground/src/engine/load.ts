/** Fetching a module of the site. */

import type { Progress } from "./client";

/** Fetches and compiles a module, compressed by gzip or as it is. */
export async function load(address: string, progress: Progress): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${address}: expected a file, found the answer ${response.status} ${response.statusText}`.trimEnd());
  const total = Number(response.headers.get("Content-Length") ?? 0);
  return compile(counted(response.body, total, progress));
}

/** Compiles what a stream holds while it comes. */
async function compile(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<WebAssembly.Module> {
  const [first, whole] = await peeked(stream);
  const packed = first[0] === 0x1f && first[1] === 0x8b;
  const code = packed ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
  return WebAssembly.compileStreaming(new Response(code, { headers: { "Content-Type": "application/wasm" } }));
}

function counted(stream: ReadableStream<Uint8Array<ArrayBuffer>>, total: number, progress: Progress): ReadableStream<Uint8Array<ArrayBuffer>> {
  let loaded = 0;
  return stream.pipeThrough(new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, out) {
      loaded += chunk.length;
      progress(loaded, loaded > total ? 0 : total); // a server that packs once more names another length
      out.enqueue(chunk);
    },
  }));
}

/** The first bytes of a stream, and the stream with them. */
async function peeked(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<[Uint8Array, ReadableStream<Uint8Array<ArrayBuffer>>]> {
  const reader = stream.getReader();
  const { value } = await reader.read();
  const first = value ?? new Uint8Array();
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (out) => { out.enqueue(first); },
    async pull(out) {
      const next = await reader.read();
      if (next.done) out.close();
      else out.enqueue(next.value);
    },
    cancel: (why) => reader.cancel(why),
  });
  return [first, whole];
}
