/** Whether what a lesson says is true of the session as it stands. */

import type { Decision, Explanation, QueueDump } from "../engine/types";
import type { Model } from "../model/model";
import type { Expectation } from "./course";

/** What a check looks at. */
export interface Sight extends Pick<Model, "asks" | "apps" | "nodes"> {
  readonly queues: ReadonlyMap<string, QueueDump>;
  readonly decisions: readonly Decision[];
  /** The codes that an explanation, or a dry run, gave for an ask; undefined: it has not answered yet. */
  readonly codes: (of: Question) => readonly string[] | undefined;
}

/** Has to be asked of the scheduler, since no decision says it. */
export type Question = Extract<Expectation, { kind: "explains" | "verdict" }>;

/** Undefined: not known yet. What was found is there for people. */
export interface Finding {
  readonly met: boolean | undefined;
  readonly found: string;
}

export function isQuestion(e: Expectation): e is Question {
  return e.kind === "explains" || e.kind === "verdict";
}

export function check(e: Expectation, sight: Sight): Finding {
  switch (e.kind) {
    case "allocated":
    case "pending":
      return placed(e, sight);
    case "order":
      return ordered(e.asks, sight);
    case "victims":
      return among(sight.decisions.filter((d) => d.type === "preemption" && d.for === e.for).map((d) => d.id ?? ""), e.victims);
    case "over-max":
      return among(sight.decisions.filter((d) => d.type === "preemption" && d.quota === e.queue).map((d) => d.id ?? ""), e.victims);
    case "together":
      return together(e.asks, sight);
    case "replaced":
      return same(sight.decisions.findLast((d) => d.type === "placeholder.replaced" && d.id === e.placeholder)?.for ?? "nothing", e.by);
    case "in":
      return same(sight.apps.get(e.app)?.queue ?? "no queue", e.queue);
    case "rejected":
      return same(sight.decisions.findLast((d) => (d.type === "app.rejected" || d.type === "ask.rejected") && d.id === e.id)?.reason ?? "not rejected", e.reason);
    case "used":
    case "headroom":
      return amount(e, sight);
    case "priority":
    case "share":
    case "queue":
      return queue(e, sight);
    case "state":
      return same(sight.apps.get(e.app)?.state ?? "not there", e.state);
    case "held":
      return held(e, sight);
    case "decisions":
      return same(sight.decisions.filter((d) => d.type === e.type).length, e.count);
    case "explains":
    case "verdict":
      return told(e, sight);
  }
}

function same(found: string | number, expected: string | number): Finding {
  return { met: found === expected, found: String(found) };
}

function placed(e: Extract<Expectation, { kind: "allocated" | "pending" }>, { asks }: Sight): Finding {
  const ask = asks.get(e.ask);
  const found = ask ? ask.node ? `on ${ask.node}` : "waiting" : "not there";
  if (e.kind === "pending") return { met: ask !== undefined && ask.node === undefined, found };
  return { met: ask?.node !== undefined && (e.node ?? ask.node) === ask.node, found };
}

function ordered(asks: readonly string[], { decisions }: Sight): Finding {
  const found = decisions.filter((d) => d.type === "allocation" && asks.includes(d.id ?? "")).map((d) => d.id ?? "");
  return same(found.join(", "), asks.join(", "));
}

function together(asks: readonly string[], { decisions }: Sight): Finding {
  const places = asks.map((id) => decisions.findLast((d) => d.type === "allocation" && d.id === id)?.seq);
  const first = places[0];
  const met = first !== undefined && places.every((seq, i) => seq === first + i);
  return { met, found: places.map((seq, i) => `${asks[i]} ${seq === undefined ? "waits" : `by decision ${seq}`}`).join(", ") };
}

function among(found: readonly string[], expected: readonly string[]): Finding {
  const met = found.length === expected.length && expected.every((id) => found.includes(id));
  return { met, found: found.join(", ") || "none" };
}

function amount(e: Extract<Expectation, { kind: "used" | "headroom" }>, { queues }: Sight): Finding {
  const units = e.type === "vcore" ? 1000 : 1;
  return same((queues.get(e.queue)?.[e.kind]?.[e.type] ?? 0) / units, e.amount);
}

function queue(e: Extract<Expectation, { kind: "priority" | "share" | "queue" }>, { queues }: Sight): Finding {
  const found = queues.get(e.queue);
  if (e.kind === "queue") return same(found?.state ?? "gone", e.state);
  if (e.kind === "share") return same(Math.floor((found?.fairShare ?? 0) / 1e6), e.thousandths);
  return same(found?.hasPriority ? found.priority ?? 0 : "none", e.value ?? "none");
}

function held(e: Extract<Expectation, { kind: "held" }>, { nodes }: Sight): Finding {
  const node = nodes.get(e.node);
  return same(node?.kept ?? node?.reserved ?? "none", e.ask ?? "none");
}

function told(e: Question, { codes }: Sight): Finding {
  const found = codes(e);
  return { met: found?.includes(e.kind === "explains" ? e.reason : e.verdict), found: found ? found.join(", ") || "nothing" : "no answer yet" };
}

/** What an explanation, or a dry run, says in codes. */
export function codesOf(question: Question, explanation: Explanation | undefined): readonly string[] {
  if (question.kind === "explains") return explanation && "reasons" in explanation ? explanation.reasons ?? [] : [];
  return explanation && "verdict" in explanation && explanation.verdict ? [explanation.verdict] : [];
}
