/** A session of the scheduler: a journal, a clock, and the decisions made of it. */

import type { Engine, Reply } from "./client";
import { Refused } from "./client";
import { Journal } from "./journal";
import { findsBack, LookBack, sameMoment, type Elsewhere } from "./look-back";
import type { Explanation, FeedAnswer, FiguresAnswer, Heads, LimitsAnswer, PlacementExplanation, PromisesAnswer, StateAnswer, StatusAnswer } from "./types";

/** Where a run goes. */
export type Goal = NonNullable<Heads["session.run"]["to"]>;

/** What a run made known: lines of inputs and decisions, in order. */
export interface Run {
  readonly status: StatusAnswer;
  readonly text: string;
}

const pieceSize = 256 << 10; // characters of a journal that is fed in pieces

/** Shares of something long that is done, 0 to 1. */
export type Share = (share: number) => void;

export class Session {
  /** Kept here as well, so that it outlives the scheduler. */
  readonly journal = new Journal();
  /** Where it is, as the last run, seek or cut left it. */
  now: StatusAnswer;
  /** The first line of the journal as it is now: it replays to the present. */
  private header: string;
  private readonly engine: Engine;
  private readonly id: number;
  /** While it is looked at elsewhere: settled once it is back. */
  private away: Promise<unknown> | undefined;

  private constructor(engine: Engine, id: number, now: StatusAnswer) {
    this.engine = engine;
    this.id = id;
    this.now = now;
    this.header = now.header;
  }

  /**
   * Begins a session; where no grace is given, in nanoseconds, the first line of the journal says how long a victim takes to
   * leave. With figures the run is measured.
   */
  static async begin(engine: Engine, grace?: number, figures?: boolean): Promise<Session> {
    const { id } = (await engine.request("session.new", { grace, figures })).answer;
    return new Session(engine, id, (await engine.request("session.status", { id })).answer);
  }

  /** Another one for each session. */
  get number(): number {
    return this.id;
  }

  /** How long a victim takes to leave, in nanoseconds. */
  get grace(): number {
    return this.now.grace;
  }

  /** The whole journal. Replayed as its first line says, it decides what was decided here up to the present. */
  text(): string {
    return this.journal.text(this.header);
  }

  /** The parts of that text. */
  parts(): { readonly header: string; readonly lines: readonly string[] } {
    return { header: this.header, lines: this.journal.copy() };
  }

  private take(now: StatusAnswer): StatusAnswer {
    this.header = now.header;
    return (this.now = now);
  }

  /** Asks about the present: while the session is elsewhere that waits. */
  private async request<Op extends keyof Heads>(op: Op, head: Omit<Heads[Op], "id">, body?: string): Promise<Reply<Op>> {
    while (this.away) await this.away;
    return this.engine.request(op, { id: this.id, ...head } as unknown as Heads[Op], body);
  }

  /**
   * Looks at other moments, and is back afterwards: what is shown stays, and questions that others put meanwhile are answered
   * about the present. The caller sees to it that nothing moves the session meanwhile. Undefined: it would not find back.
   */
  async lookBack<T>(look: (at: Elsewhere) => Promise<T>): Promise<T | undefined> {
    while (this.away) await this.away;
    const { now } = this;
    if (!findsBack(now)) return undefined;
    const at = new LookBack(this.engine, this.id);
    const looking = (async () => {
      try {
        return await look(at);
      } finally {
        const there = await at.back(now);
        if (!sameMoment(there, now)) this.take(there);
      }
    })();
    this.away = looking.then(() => undefined, () => undefined).finally(() => { this.away = undefined; });
    return looking;
  }

  /** Adds lines to the journal, all or none. */
  async feed(text: string): Promise<FeedAnswer> {
    const { answer } = await this.request("session.feed", {}, text);
    this.journal.insert(text, answer.positions);
    this.header = answer.header;
    return answer;
  }

  /**
   * Feeds a long journal in pieces, so that it can be followed. Where a piece is refused the ones before it stay: this is
   * for a session that is given up then.
   */
  async feedAll(text: string, share: Share): Promise<void> {
    let line = 0;
    for (let from = 0; from < text.length;) {
      const end = text.indexOf("\n", from + pieceSize - 1);
      const piece = text.slice(from, end < 0 ? text.length : end + 1);
      await this.feedNext(piece, line);
      line += piece.split("\n").length - 1;
      from += piece.length;
      share(from / text.length);
    }
  }

  /** Feeds a piece that begins behind so many lines of the whole, and has to stand behind all that was fed. */
  private async feedNext(piece: string, lines: number): Promise<void> {
    const before = this.journal.length;
    try {
      const { positions } = await this.feed(piece);
      if (positions.some(({ from }) => from < before)) throw wentBack();
    } catch (thrown) {
      throw shifted(thrown, lines);
    }
  }

  async run(to: Goal, most: number): Promise<Run> {
    const { answer, body } = await this.request("session.run", { to, most });
    this.take(answer);
    return { status: answer, text: new TextDecoder().decode(body) };
  }

  /** Goes to a time or to a decision; not there yet where the answer is not done. */
  async seek(to: { readonly seq: number } | { readonly time: number }, most: number): Promise<StatusAnswer> {
    return this.take((await this.request("session.seek", { ...to, most })).answer);
  }

  /** What the run came to so far. */
  async figures(): Promise<FiguresAnswer> {
    return (await this.request("session.figures", {})).answer;
  }

  /** With the hash of all decisions, which takes its time. */
  async status(): Promise<StatusAnswer> {
    return this.take((await this.request("session.status", {})).answer);
  }

  /** Forgets the inputs that were not applied. Of a count that is under way those asks stay that were. */
  async truncate(): Promise<StatusAnswer> {
    const { answer } = await this.request("session.truncate", {});
    const last = answer.lines - 1;
    const { body } = await this.request("session.journal", { what: "journal", offset: Math.max(last, 0) });
    this.journal.cut(answer.lines, last < 0 ? "" : new TextDecoder().decode(body));
    return this.take(answer);
  }

  async state(parts?: ("queues" | "nodes" | "applications")[]): Promise<StateAnswer> {
    return (await this.request("state", { parts })).answer;
  }

  async explain(kind: "ask" | "application" | "queue" | "preemption", name: string): Promise<Explanation | undefined> {
    return (await this.request("explain", { kind, name })).answer.explanation;
  }

  /** Where an application would go that is submitted now. */
  async placement(where: Omit<Heads["placement"], "id">): Promise<PlacementExplanation> {
    return (await this.request("placement", { ...where })).answer;
  }

  /** What users and groups use in the queues that limit them. */
  async limits(): Promise<LimitsAnswer> {
    return (await this.request("limits", {})).answer;
  }

  /** Promised ends, planned starts and windows. */
  async promises(): Promise<PromisesAnswer> {
    return (await this.request("promises", {})).answer;
  }

  /** The names of a kind that are like one that nothing has. */
  async meant(kind: "ask" | "application" | "queue" | "node", name: string): Promise<readonly string[]> {
    return (await this.request("meant", { kind, name })).answer.meant;
  }

  /** Lines of the decisions from one on. */
  async decisions(from: number, most: number): Promise<string> {
    const { body } = await this.request("session.decisions", { from, most });
    return new TextDecoder().decode(body);
  }

  /** Lines of all decisions so far. */
  async allDecisions(share: Share = () => undefined): Promise<string> {
    const pieces: string[] = [];
    for (let offset = 0, done = false; !done;) {
      const { answer, body } = await this.request("session.journal", { what: "decisions", offset });
      pieces.push(new TextDecoder().decode(body));
      done = answer.done || answer.next === offset;
      offset = answer.next;
      share(done ? 1 : 0);
    }
    return pieces.join("");
  }

  async free(): Promise<void> {
    await this.request("free", {});
  }
}

/** The scheduler sorts lines in by time; within one text it is an error. */
function wentBack(): Refused {
  return new Refused({ code: "bad-journal", line: 1, key: "at", expected: "times that never go back", message: "1: at: expected a time not before that of the line before" });
}

/** A refusal of a line of a piece, told as one of the whole text. */
function shifted(thrown: unknown, lines: number): unknown {
  if (!(thrown instanceof Refused) || thrown.error.line === undefined) return thrown;
  const line = thrown.error.line + lines;
  return new Refused({ ...thrown.error, line, message: thrown.error.message.replace(/^(line )?\d+:/, `line ${line}:`) });
}
