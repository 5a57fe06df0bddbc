import { Refused } from "../engine/client";
import type { RpcError, Decision } from "../engine/types";
import { precise } from "../ui/format";
import { sentence } from "./sentence";
import { notices, type Notice, type NoticeAct } from "./store";

const kept = 20;
let last = 0; // id given out

/** Shows a text on the page. */
export function say(kind: Notice["kind"], text: string, ...acts: readonly NoticeAct[]): void {
  notices.value = [...notices.value.slice(1 - kept), { id: ++last, kind, text, acts }];
}

/** What went wrong, for people. */
export function wordsOf(thrown: unknown): string {
  if (thrown instanceof Refused) return refused(thrown.error);
  return thrown instanceof Error ? sentence(thrown.message) : sentence(String(thrown));
}

function refused({ message, line, key, expected, found, errors }: RpcError): string {
  if (errors) return listed(errors);
  if (line === undefined || expected === undefined) return sentence(withTimes(message));
  const where = key ? `Line ${line}, ${key}` : `Line ${line}`;
  return sentence(`${where}: expected ${expected}${found ? `, found ${found}` : ""}`);
}

/** A message with its nanoseconds written as people do: what is accepted from a nanosecond behind a moment on is accepted after that moment. */
function withTimes(message: string): string {
  return message.replace(/from (\d+) ns of the session on, found (-?\d+)/, (_, from: string, found: string) => `after ${precise(Number(from) - 1)} of the session, found ${precise(Number(found))}`);
}

const refusals: ReadonlySet<string> = new Set(["node.rejected", "app.rejected", "ask.rejected", "config.rejected", "ignored"]);

/** Whether a decision says that an input had no effect. */
export function isRefusal(decision: Decision): boolean {
  return refusals.has(decision.type);
}

/** What the scheduler said of inputs that it refused. */
export function refusalWords(decisions: readonly Decision[]): string {
  return listed(decisions.flatMap(({ message, errors, reason = "refused" }) => errors ?? [message ?? reason]));
}

/** The first of some sentences, and how many more there are. */
export function listed(texts: readonly string[]): string {
  const most = 3;
  const more = texts.length - most;
  return texts.slice(0, most).map(sentence).join("\n") + (more > 0 ? `\nAnd ${more} more like these.` : "");
}
