/** Fetching a module of the site. */

import type { Progress } from "./client";

/** Fetches and compiles a module, compressed by gzip or as it is. */
export async function load(address: string, progress: Progress): Promise<WebAssembly.Module> {
  const { body, headers } = await fetched(address, progress);
  return compile(counted(body, Number(headers.get("Content-Length") ?? 0), progress));
}

/** Fetches a file. A server that is still making it says when to ask again. */
async function fetched(address: string, progress: Progress): Promise<{ readonly body: ReadableStream<Uint8Array<ArrayBuffer>>; readonly headers: Headers }> {
  for (;;) {
    const response = await fetch(address);
    if (response.ok && response.body) return { body: response.body, headers: response.headers };
    const said = await saidBy(response);
    const seconds = Number(response.headers.get("Retry-After") ?? 0);
    if (response.status !== 503 || !(seconds > 0)) throw new Error(`${address}: expected a file, found the answer ${response.status} ${said || response.statusText}`.trimEnd());
    progress(0, 0, said || `${address} is not there yet`);
    await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
  }
}

/** The line in which a server says why it has no file; empty: it sent something else. */
async function saidBy(response: Response): Promise<string> {
  if (!response.headers.get("Content-Type")?.startsWith("text/plain")) return "";
  const text = (await response.text()).trim();
  return text.includes("\n") || text.length > 300 ? "" : text;
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
