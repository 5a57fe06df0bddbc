import { Crashed } from "../engine/client";
import type { Config, Decision, Explanation } from "../engine/types";
import type { Actions } from "./actions";
import type { Configuration } from "../model/scenario";
import { second } from "../model/times";
import { Clock, type NextFrame } from "./clock";
import { Feed } from "./feed";
import type { Live } from "./live";
import { Modules } from "./modules";
import { parseDecisions } from "./heard";
import { asOneStep, openings } from "./one-step";
import { say, wordsOf } from "./notices";
import { configuration, lesson, overlay, playing, recentMost, selection, status, title, type Selection } from "./store";
import { editWords } from "./edit-words";
import { inSession } from "./moments";
import { placed, waitedFor } from "./placed";
import { versionOf } from "./snapshot";
import { submittedAt } from "./submitted";
import { Travel } from "./travel";
import { Work } from "./work";

/** Asks whether what runs may be replaced, where changes would be lost. */
export type MayReplace = (title: string) => Promise<boolean>;

/** What a user can do, to one session. */
export function perform(live: Live, nextFrame: NextFrame, mayReplace: MayReplace = () => Promise.resolve(true)): Actions {
  const clock = new Clock(live, nextFrame, failed);
  const travel = new Travel(live);
  const feed = new Feed(live);
  const modules = new Modules(live, feed);
  const work = new Work(live, modules);

  /** Does something in its turn, and says what went wrong. */
  const turn = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await live.turns.take(work);
    } catch (thrown) {
      failed(thrown);
      return otherwise;
    }
  };
  /** The same with the clock stopped. */
  const still = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    playing.value = false;
    overlay.value = undefined;
    return turn(work, otherwise);
  };

  /** The same where something else runs afterwards, which is one step for the Back button. */
  const another = <T>(work: () => Promise<T>, otherwise: T): Promise<T> => asOneStep(() => still(work, otherwise));
  /** The same with another scenario, from which the Back button returns even while it opens. */
  const opening = (work: () => Promise<void>): Promise<boolean> => {
    openings.value++;
    return another(() => work().then(() => true), false);
  };
  /** Makes a change that can be undone. */
  const edit = (what: string, change: () => Promise<boolean>): Promise<boolean> => turn(() => work.edit(what, change), false);

  return {
    model: () => live.model,
    series: () => live.series,
    marks: () => live.marks,
    rejections: () => live.rejections,
    past: () => live.past,
    ahead: () => orNothing(live.ahead()),
    open: async (scenario, sure = false) => (sure || await mayReplace(scenario.title)) && opening(() => work.open(scenario)),
    snapshot: () => work.snapshot(),
    version: () => versionOf(live),
    resume: (snapshot) => opening(() => work.resume(snapshot)),
    leftBehind: (name) => work.leftBehind(name),
    undo: () => another(() => work.undo(), undefined),
    redo: () => another(() => work.redo(), undefined),
    journal: () => Promise.resolve(live.any ? live.session.text() : ""),
    scenario: () => Promise.resolve({
      title: title.value, journal: live.any ? live.session.text() : "", grace: live.any ? live.session.grace / second : 0, modules: modules.all,
      ...(lesson.value !== "" && { lesson: lesson.value }),
    }),
    decision: (seq) => orNothing(live.session.decisions(seq, 1).then((text) => parseDecisions(text)[0])),
    earlier: (before) => turn(() => earlier(live, before), []),
    decisions: () => turn(() => live.session.allDecisions(), ""),
    play: () => {
      if (status.value?.idle) say("info", "There are no more events. Add an input, or go back.");
      else clock.play();
    },
    pause: () => { clock.pause().catch(failed); },
    step: (unit) => still(() => travel.step(unit), undefined),
    runToEnd: () => clock.toEnd(),
    back: () => still(() => travel.back(), undefined),
    seekTime: (nanoseconds) => still(() => travel.toTime(Math.max(0, Math.round(nanoseconds))), undefined),
    seekDecision: (seq) => still(() => travel.toDecision(seq), undefined),
    cutHere: () => still(() => work.edit("forget the inputs ahead", () => travel.cutHere().then(() => true)).then(() => undefined), undefined),
    feed: (inputs) => edit(editWords(inputs), () => feed.inputs(inputs)),
    importLines: (text) => edit("add a workload", () => feed.lines(text)),
    reload: (configuration) => edit("change the configuration", () => feed.reload(configuration)),
    comesAt: (kind, id) => comesAt(live, kind, id),
    explain: (picked) => explain(live, picked),
    whyHere: (ask) => orNothing(live.turns.take(() => placed(live, ask))),
    waitedFor: (placement) => orNothing(live.turns.take(() => waitedFor(live, placement))),
    wherePlaced: (where) => orNothing(live.session.placement(where)),
    inForce: () => orNothing(inForce(live)),
    meant: async (kind, name) => (await orNothing(live.session.meant(kind === "app" ? "application" : kind, name))) ?? [],
    limitUsage: async () => (await orNothing(live.session.limits()))?.usage ?? [],
    dryRun: (ask) => asked(live, "preemption", ask),
    loadModule: (module) => edit(`load policy module ${module.name}`, () => modules.load(module)),
    dropModule: (name) => edit(`remove policy module ${name}`, () => modules.drop(name)),
    select: (picked) => { selection.value = picked; },
    say,
  };
}

function failed(thrown: unknown): void {
  playing.value = false;
  say("error", thrown instanceof Crashed ? "The scheduler has ended. The journal can still be exported." : wordsOf(thrown));
}

async function earlier(live: Live, before: number): Promise<readonly Decision[]> {
  const from = Math.max(1, before - recentMost);
  return from < before ? parseDecisions(await live.session.decisions(from, before - from)) : [];
}

function comesAt(live: Live, kind: Selection["kind"], id: string): number | undefined {
  const at = live.any ? submittedAt(live.session.journal.copy(), kind, id) : undefined;
  const time = at === undefined ? 0 : live.model.times.of(at);
  return time > (status.peek()?.now ?? 0) ? time : undefined;
}

type Kind = Parameters<Live["session"]["explain"]>[0];

/** Nodes explain themselves. */
async function explain(live: Live, picked: Selection): Promise<Explanation | undefined> {
  if (picked.kind === "node") return undefined;
  if (picked.kind !== "decision") return asked(live, picked.kind === "app" ? "application" : picked.kind, picked.id);
  const { type, id, queue } = picked.decision;
  if (type.startsWith("queue.")) return asked(live, "queue", queue);
  if (type.startsWith("app.")) return asked(live, "application", id);
  return /^(node|config|policy)\./.test(type) ? undefined : asked(live, "ask", id);
}

/** What was read of the configuration in force. It is read once. */
const inForceRead = new WeakMap<Configuration, Config>();

async function inForce(live: Live): Promise<Config | undefined> {
  const of = configuration.peek();
  if (!of) return undefined;
  const known = inForceRead.get(of) ?? (await live.engine.request("check", { format: of.format, file: "configuration" }, of.text)).answer.configuration;
  if (known) inForceRead.set(of, known);
  return known;
}

/** What was asked of a session that is gone by now has no answer. */
async function asked(live: Live, kind: Kind, name = ""): Promise<Explanation | undefined> {
  const explanation = await orNothing(live.session.explain(kind, name));
  return explanation && inSession(explanation, live.model.times);
}

async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}
