/** What runs where, from when until when: the past and what is promised of the future. Times are in nanoseconds, of one clock. */

import { windowsBetween } from "./repeated";

/**
 * ended: it ran. runs: until its promised end, if it has one. late: its promised end has passed. leaves: it was told to leave.
 * planned: it waits, and starts then at the latest.
 */
export type SpanKind = "ended" | "runs" | "late" | "leaves" | "planned";

/** An allocation, or the planned start of an ask, on one node. */
export interface Span {
  readonly ask: string;
  readonly app: string;
  readonly queue: string;
  readonly node: string;
  readonly kind: SpanKind;
  readonly from: number;
  /** When it ended, or has to; undefined: no end is promised. */
  readonly until: number | undefined;
  /** Goes on behind what is said of its times; "": nothing more is known. */
  readonly why: string;
}

/** Nodes that are for some alone, or for no ask. */
export interface WindowSpan {
  readonly window: string;
  readonly open: boolean;
  readonly from: number;
  /** Undefined: it stays open. */
  readonly until: number | undefined;
  /** From one opening to the next; undefined: only this one is known. */
  readonly every?: number | undefined;
  readonly nodes: readonly string[];
  /** Whom it names: "queue root.a, user ann"; "": nobody. */
  readonly names: string;
}

export interface Spans {
  readonly now: number;
  /** In the order of the rows. */
  readonly nodes: readonly string[];
  readonly spans: readonly Span[];
  readonly windows: readonly WindowSpan[];
}

/** How a time reads. */
export type Say = (at: number) => string;

export const kindWords: Readonly<Record<SpanKind, string>> = {
  ended: "Ended", runs: "Runs, with its promised end", late: "Promised end has passed", leaves: "Told to leave", planned: "Planned start",
};

/** One of them in a sentence or two. */
export function describe({ ask, app, queue, node, kind, from, until, why }: Span, say: Say): string {
  const who = `${ask} of ${app} in ${queue}`;
  const because = why === "" ? "" : `: ${why}`;
  switch (kind) {
    case "ended": return `${who} ran on ${node} from ${say(from)} until ${say(until ?? from)}${because}.`;
    case "planned": return `${who} waits. It starts on ${node} at ${say(from)} at the latest, ${until === undefined ? "and promises no end" : `and runs until ${say(until)} then`}${because}.`;
    case "late": return `${who} runs on ${node} since ${say(from)}. Its promised end, ${say(until ?? from)}, has passed${because}.`;
    case "leaves": return `${who} runs on ${node} since ${say(from)} and was told to leave${because}.`;
    case "runs": return `${who} runs on ${node} since ${say(from)}. It promises ${until === undefined ? "no end" : `to end at ${say(until)}`}${because}.`;
  }
}

export function describeWindow({ window, open, from, until, every, nodes, names }: WindowSpan, say: Say): string {
  const whom = names === "" ? "for no ask: a maintenance" : `only for ${names}`;
  const times = `${open ? "open since" : "opens at"} ${say(from)}, ${until === undefined ? "stays open" : `until ${say(until)}`}`;
  return `Window ${window}, ${times}${every ? ", and comes again" : ""}: ${nodes.length > 3 ? `${nodes.length} nodes` : nodes.join(", ") || "no nodes"}, ${whom}.`;
}

/** What a row has at one time: "at 2h: 3 run, 1 is planned". */
export function tally(spans: readonly Span[]): string {
  const n = (kinds: readonly SpanKind[]) => spans.filter(({ kind }) => kinds.includes(kind)).length;
  const parts = [[n(["runs", "late", "leaves"]), "run"], [n(["late"]), "past the promised end"], [n(["planned"]), "planned"], [n(["ended"]), "ended"]] as const;
  return parts.flatMap(([many, what], i) => (many > 0 || i === 0 ? [`${many} ${what}`] : [])).join(", ");
}

/** When what is drawn of a span ends: of a late one now, since it is still there. Infinity: no end is known. */
export function endOf({ kind, until }: Span, now: number): number {
  return kind === "late" || kind === "leaves" ? Math.max(now, until ?? now) : until ?? Infinity;
}

/** What is drawn first and last, so that all of it is seen; a little at least. */
export function extent({ now, spans, windows }: Spans): readonly [from: number, to: number] {
  let [from, to] = [now, now];
  for (const one of spans) {
    from = Math.min(from, one.from);
    to = Math.max(to, one.kind === "planned" ? one.from : now, one.until ?? now);
  }
  const least = 10e9;
  const ahead = Math.max(to - now, (now - from) / 4, least);
  // A window that is far off would press all else together, and so would a long past.
  const soon = windows.flatMap((one) => [one.from, one.until ?? one.from]).filter((at) => at > now && at - now <= 3 * ahead);
  const end = now + Math.max(ahead, ...soon.map((at) => at - now));
  return [Math.max(from, now - Math.max(end - now, least)), end + (end - now) / 12];
}

/** The windows of a stretch of time, each as often as it opens in it. */
export function openings(windows: readonly WindowSpan[], from: number, to: number): readonly WindowSpan[] {
  return windows.flatMap((one) => windowsBetween(one, from, to));
}
