/** Requests and answers as bytes: a line of JSON, and a body behind it. */

import { Refused } from "./client";
import type { Refusal } from "./types";

/** A request: its head on the first line, then its body. */
export function encode(op: string, head: object, body: Uint8Array | string = ""): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const line = encoder.encode(`${JSON.stringify({ op, ...head })}\n`);
  const rest = typeof body === "string" ? encoder.encode(body) : body;
  const request = new Uint8Array(line.length + rest.length);
  request.set(line);
  request.set(rest, line.length);
  return request;
}

const inherited = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})":`);
let bare = false;

/**
 * Reads JSON. From when on something in it is called as what every object has, such as constructor, objects are made
 * without what every object has: the two then cannot be confused. It costs time, so it is not done before.
 */
function parse(text: string): unknown {
  bare ||= inherited.test(text);
  if (!bare) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === "object" && value !== null && !Array.isArray(value) ? Object.setPrototypeOf(value, null) as object : value));
}

/**
 * An answer, which is of the operation that was asked for.
 * @throws Refused
 */
export function decode(bytes: Uint8Array): { readonly answer: object; readonly body: Uint8Array } {
  const end = bytes.indexOf(10);
  const line = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  const answer = parse(line) as object | Refusal;
  if ("error" in answer) throw new Refused(answer.error);
  return { answer, body: end < 0 ? new Uint8Array() : bytes.subarray(end + 1) };
}
