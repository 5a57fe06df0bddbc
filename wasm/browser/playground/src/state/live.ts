import { batch } from "@preact/signals";
import type { Engine } from "../engine/client";
import { fieldsOf } from "../engine/journal";
import type { Elsewhere } from "../engine/look-back";
import type { Goal, Session, Share } from "../engine/session";
import type { Decision, StateAnswer, StatusAnswer } from "../engine/types";
import { createModel } from "../model/cluster";
import { isDecision, type Line } from "../model/lines";
import { typesOf } from "../model/quantities";
import { Rejections, type Rejecting, type Rejection } from "../model/rejections";
import { Series } from "../model/series";
import { aheadOf, PlanReasons } from "./ahead";
import { Chronicle } from "./chronicle";
import { Configurations } from "./configurations";
import { Heard, parseDecisions } from "./heard";
import { isRefusal } from "./notices";
import type { Ahead, Past, TimeMarks } from "./shapes";
import { partOf, shown } from "./progress";
import { configuration, crash, frame, lastInput, phase, playing, preempted, queues, recent, recentMost, status, types } from "./store";
import { Turns } from "./turns";

const start = { now: 0, seq: 0 };
const most = 2000; // decisions of a request where nothing is drawn meanwhile
const mostPast = 10_000; // allocations that have ended

/** The session that runs, with all that follows it. */
export class Live {
  readonly model = createModel();
  readonly series = new Series();
  readonly turns = new Turns();
  readonly heard = new Heard(this.model, this.series, (line) => this.follow(line));
  /** The furthest moment that was heard since the journal last changed. */
  latest: Pick<StatusAnswer, "now" | "seq"> = start;
  private configurations = new Configurations();
  /** When allocations were told to leave, and when a configuration took effect: times of the session. */
  private preemptions = new Chronicle<number>();
  private reloads = new Chronicle<number>();
  private rejected = new Chronicle<Rejecting>();
  private ended = new Chronicle<Past>(mostPast);
  private planReasons = new PlanReasons();
  private fresh: Decision[] = []; // not in `recent` yet
  private refused: Decision[] | undefined; // while they are collected
  private drawn = -1; // version of the model
  private lastLine: string | undefined;
  private running: Session | undefined;
  private engineOf: Engine | undefined;

  /** @throws until the scheduler is loaded */
  get engine(): Engine {
    if (!this.engineOf) throw new Error("The scheduler is still loading");
    return this.engineOf;
  }

  set engine(engine: Engine) {
    this.engineOf = engine;
    engine.onCrash((why) => {
      playing.value = false;
      crash.value = why;
      phase.value = "crashed";
    });
  }

  /** @throws until something was opened */
  get session(): Session {
    if (!this.running) throw new Error("The scheduler is still loading");
    return this.running;
  }

  /** Whether something was opened. */
  get any(): boolean {
    return this.running !== undefined;
  }

  /** What is marked on the time line, as far as it is known. The configuration that a journal begins with is no change. */
  get marks(): TimeMarks {
    return { preemptions: this.preemptions.all(), reloads: this.reloads.all().filter((at) => at > 0) };
  }

  /** What was rejected or ignored up to now, by reason. */
  get rejections(): readonly Rejection[] {
    const counted = new Rejections();
    for (const one of this.rejected.upTo(status.peek()?.seq ?? 0)) counted.add(one);
    return counted.sorted();
  }

  /** The allocations that had ended by now, the last of them at least. */
  get past(): readonly Past[] {
    return this.ended.upTo(status.peek()?.seq ?? 0);
  }

  /** What is known of the time to come. */
  async ahead(): Promise<Ahead> {
    return aheadOf(await this.session.promises(), this.model.times, this.planReasons);
  }

  /** Has another session run, at its start. */
  enter(session: Session): void {
    this.running = session;
    this.series.clear();
    this.latest = start;
    this.configurations = new Configurations();
    this.preemptions = new Chronicle();
    this.reloads = new Chronicle();
    this.rejected = new Chronicle();
    this.ended = new Chronicle(mostPast);
    this.planReasons = new PlanReasons();
    this.model.times.start = "";
    this.lastLine = undefined;
  }

  /** Runs to a goal at once, with all that happens on the way heard. */
  async advance(goal: Goal, share: Share = () => undefined): Promise<StatusAnswer> {
    for (;;) {
      this.heard.apply();
      const run = await this.session.run(goal, most);
      this.heard.add(run);
      this.heard.apply();
      if (run.status.done) {
        await this.show(run.status);
        return run.status;
      }
      share(partOf(goal, run.status));
    }
  }

  /** Goes to a time or a decision that was known already, without hearing what happens on the way. */
  async jump(to: { readonly seq: number } | { readonly time: number }): Promise<StatusAnswer> {
    let now = await this.session.seek(to, most);
    if (!now.done) {
      await shown("Going there", async (share) => {
        while (!now.done) {
          share("seq" in to ? now.seq / to.seq : now.now / to.time);
          now = await this.session.seek(to, most);
        }
      });
    }
    await this.look(now);
    return now;
  }

  /** Looks at other moments, and is back afterwards; in a turn of its own. Undefined: the session would not find back. */
  async lookBack<T>(look: (at: Elsewhere) => Promise<T>): Promise<T | undefined> {
    const before = this.session.now;
    const seen = await this.session.lookBack(look);
    if (this.session.now !== before) await this.look(this.session.now);
    return seen;
  }

  /** Takes the whole state again. */
  async look(now: StatusAnswer): Promise<void> {
    const state = await this.session.state();
    const last = parseDecisions(await this.session.decisions(Math.max(1, now.seq - recentMost + 1), recentMost));
    this.heard.forget();
    this.fresh = [];
    this.model.times.start = now.start;
    this.model.reset(state);
    this.series.travelled();
    batch(() => {
      recent.value = last;
      this.publishQueues(state);
      this.publish(now);
    });
  }

  /** The journal will go on otherwise from here: what is known of later is forgotten. */
  cut(now: StatusAnswer): void {
    this.series.cut(now.now);
    this.configurations.cut(now.seq);
    this.preemptions.cut(now.seq);
    this.reloads.cut(now.seq);
    this.rejected.cut(now.seq);
    this.ended.cut(now.seq);
    this.latest = now;
  }

  /** Shows the present, once all that was heard is applied, with the queues as they are. */
  async show(now: StatusAnswer): Promise<void> {
    await this.lookAtQueues();
    this.publish(now);
  }

  /** Shows what was applied; with a status also that the session is there. */
  publish(now?: StatusAnswer): void {
    if (now) {
      this.series.sample(this.model, now.now);
      if (now.now >= this.latest.now && now.seq >= this.latest.seq) this.latest = now;
    }
    batch(() => {
      if (this.fresh.length > 0) {
        const kept = Math.max(0, recentMost - this.fresh.length);
        recent.value = [...(kept > 0 ? recent.value.slice(-kept) : []), ...this.fresh.slice(-recentMost)];
        this.fresh = [];
      }
      if (now) {
        status.value = now;
        this.publishLastInput();
        const found = this.configurations.at(now.seq);
        if (found !== configuration.value) configuration.value = found;
        preempted.value = this.preemptions.count(now.seq);
      }
      if (this.drawn !== this.model.version) frame.value++;
      this.drawn = this.model.version;
    });
  }

  /** Asks for the queues, of whose figures no decision tells. */
  async lookAtQueues(): Promise<void> {
    const state = await this.session.state(["queues"]);
    this.publishQueues(state);
  }

  /** The decisions made during some work that say that an input had no effect. */
  async refusals(work: () => Promise<unknown>): Promise<readonly Decision[]> {
    const refused: Decision[] = (this.refused = []);
    try {
      await work();
    } finally {
      this.refused = undefined;
    }
    return refused;
  }

  private publishLastInput(): void {
    const { last } = this.session.journal;
    if (last === this.lastLine) return;
    this.lastLine = last;
    const { at } = fieldsOf(last ?? "{}");
    lastInput.value = typeof at === "string" ? this.model.times.of(at) : 0;
  }

  /** Shows the queues of a state. */
  publishQueues({ queues: list = [], total, others = [] }: StateAnswer): void {
    this.model.setQueues(list);
    queues.value = [...this.model.queues.values()];
    const sorted = typesOf(total, ...others.map((partition) => partition.total));
    if (sorted.join() !== types.value.join()) types.value = sorted;
  }

  private noteEnd({ seq, id, at, reason = "" }: Decision): void {
    const { released, apps, times } = this.model;
    if (released?.id !== id || released?.node === undefined) return;
    this.ended.note(seq, { ask: released.id, app: released.app, queue: apps.get(released.app)?.queue ?? "", node: released.node, from: released.allocated ?? 0, until: times.of(at), reason });
  }

  private follow(line: Line): void {
    this.configurations.follow(line);
    if (!isDecision(line)) return;
    this.planReasons.follow(line, this.model.times);
    if (line.type === "release") this.noteEnd(line);
    if (line.type === "preemption") this.preemptions.note(line.seq, this.model.times.of(line.at));
    if (line.type === "config.accepted") this.reloads.note(line.seq, this.model.times.of(line.at));
    this.fresh.push(line);
    if (this.fresh.length >= 2 * recentMost) this.fresh = this.fresh.slice(-recentMost);
    if (!isRefusal(line)) return;
    this.rejected.note(line.seq, { type: line.type, reason: line.reason, id: line.id });
    this.refused?.push(line);
  }
}
