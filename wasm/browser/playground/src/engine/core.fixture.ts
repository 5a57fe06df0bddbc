/** The core itself in this process, for tests: a request is answered at once. */

import type { Reply } from "./client";
import { instantiate } from "./reactor";
import { compiledCore } from "./here";
import { decode, encode } from "./message";
import type { Heads } from "./types";

/** What is refused throws. */
export type Ask = <Op extends keyof Heads>(op: Op, head: Heads[Op], body?: Uint8Array | string) => Reply<Op>;

/** Starts a core, and gives what asks it. */
export async function startCore(): Promise<Ask> {
  const call = await instantiate(await compiledCore(), () => undefined);
  return (op, head, body) => decode(call(encode(op, head, body))) as Reply<typeof op>;
}

/** All of what a session writes, which comes in pieces. */
export function written(ask: Ask, id: number, what: "journal" | "decisions"): string {
  let text = "";
  for (let offset = 0, done = false; !done;) {
    const { answer, body } = ask("session.journal", { id, what, offset });
    text += new TextDecoder().decode(body);
    ({ next: offset, done } = answer);
  }
  return text;
}
