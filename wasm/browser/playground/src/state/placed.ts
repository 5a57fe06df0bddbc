/** How an ask came to its node: what the scheduler says of it right before it was placed, and while it waited. */

import type { AskExplanation, Decision, StatusAnswer } from "../engine/types";
import { parseDecisions } from "./heard";
import type { Live } from "./live";

/** A placement of an ask. Times are nanoseconds of the session. */
export interface Placed {
  readonly ask: string;
  readonly node: string;
  readonly seq: number;
  readonly at: number;
  readonly submitted: number;
  /** Right before it was placed. */
  readonly before: AskExplanation;
}

/** A stretch of a wait that had one cause. */
export interface Waited {
  readonly from: number;
  readonly to: number;
  /** As it stood at the beginning. */
  readonly e: AskExplanation;
}

const page = 5000; // decisions that are read at once
const mostLooks = 24; // at a wait

/** The last placement of an ask up to the present; undefined: there is none, or it cannot be told now. */
export async function placed(live: Live, ask: string): Promise<Placed | undefined> {
  const decision = await placementOf(live, ask);
  if (!decision) return undefined;
  const { seq, node = "" } = decision;
  const before = await live.lookBack(async (at) => {
    return await at.goBefore(seq) ? at.ask(ask) : undefined;
  });
  if (!before?.pending) return undefined;
  return { ask, node, seq, at: live.model.times.of(decision.at), submitted: live.model.times.ofState(before.since ?? 0), before };
}

/** What an ask waited for before it was placed, in order. Of a long wait some instants are looked at. */
export async function waitedFor(live: Live, { ask, seq, submitted, at: placedAt }: Placed): Promise<readonly Waited[] | undefined> {
  if (placedAt <= submitted) return [];
  return live.lookBack(async (at) => {
    const looks: { readonly now: number; readonly e: AskExplanation }[] = [];
    const look = async ({ now }: StatusAnswer) => {
      const e = await at.ask(ask);
      if (e?.pending && now < placedAt && now > (looks.at(-1)?.now ?? -1)) looks.push({ now, e });
    };
    const first = await at.go({ time: submitted });
    await look(first);
    const between = seq - 1 - first.seq;
    const steps = Math.min(mostLooks, between);
    for (let i = 1; i <= steps; i++) {
      const { now } = await at.go({ seq: first.seq + Math.round((between * i) / steps) });
      if (now <= (looks.at(-1)?.now ?? -1)) continue;
      if (now >= placedAt) break;
      await look(await at.go({ time: now }));
    }
    return stretches(looks, submitted, placedAt);
  });
}

async function placementOf(live: Live, ask: string): Promise<Decision | undefined> {
  for (let end = live.session.now.seq; end > 0; end -= page) {
    const from = Math.max(1, end - page + 1);
    const lines = (await live.session.decisions(from, end - from + 1)).split("\n").filter((line) => line.includes('"type":"allocation"'));
    const found = parseDecisions(lines.join("\n")).findLast((d) => d.id === ask);
    if (found) return found;
  }
  return undefined;
}

/** Looks with one cause after the other are one stretch. */
function stretches(looks: readonly { readonly now: number; readonly e: AskExplanation }[], submitted: number, placedAt: number): Waited[] {
  const list: { from: number; to: number; e: AskExplanation }[] = [];
  for (const { now, e } of looks) {
    const last = list.at(-1);
    if (last && causeOf(last.e) === causeOf(e)) continue;
    if (last) last.to = now;
    list.push({ from: last ? now : submitted, to: placedAt, e });
  }
  return list;
}

/** What tells one cause from another: the reasons, which queues are short, and what speaks against most nodes. */
function causeOf({ reasons = [], lacks = [], nodes = [] }: AskExplanation): string {
  const against = reasons.includes("no-node-fits") ? [...nodes].sort((a, b) => (b.nodes ?? 0) - (a.nodes ?? 0))[0] : undefined;
  return JSON.stringify([reasons, lacks.map(({ queue, type }) => [queue, type]), against?.reason, against?.detail]);
}
