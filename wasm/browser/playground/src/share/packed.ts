/** Text packed into what an address can hold: deflated, and then base64 with the alphabet for addresses. */

/** A packed text that is none, or is too large. */
export class BadPack extends Error {}

/** Packs a text. */
export async function pack(text: string): Promise<string> {
  const bytes = await collect(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  return toBase64(bytes);
}

/**
 * Unpacks a text of at most so many bytes; no more than that is ever unpacked.
 * @throws BadPack
 */
export async function unpack(packed: string, most: number): Promise<string> {
  const stream = new Blob([fromBase64(packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await collect(stream, most));
  } catch (thrown) {
    if (thrown instanceof BadPack) throw thrown;
    throw new BadPack("expected packed text, found something else");
  }
}

/**
 * Reads a stream to its end.
 * @throws BadPack when it holds more than most bytes
 */
export async function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      throw new BadPack(`expected at most ${most} bytes, found more`);
    }
    parts.push(next.value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 1 << 14) text += String.fromCharCode(...bytes.subarray(at, at + (1 << 14)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw new BadPack("expected letters, digits, - and _, found something else");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
