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
import { say, wordsOf } from "./notices";
import { open } from "./open";
import { configuration, lesson, overlay, playing, recentMost, selection, status, title, type Selection } from "./store";
import { Travel } from "./travel";

/** What a user can do, to one session. */
export function perform(live: Live, nextFrame: NextFrame): Actions {
  const clock = new Clock(live, nextFrame, failed);
  const travel = new Travel(live);
  const feed = new Feed(live);
  const modules = new Modules(live, feed);

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

  return {
    model: () => live.model,
    series: () => live.series,
    open: (scenario) => still(() => open(live, modules, scenario).then(() => true), false),
    journal: () => Promise.resolve(live.any ? live.session.text() : ""),
    scenario: () => Promise.resolve({
      title: title.value, journal: live.any ? live.session.text() : "", grace: live.any ? live.session.grace / second : 0, modules: modules.all,
      ...(lesson.value !== "" && { lesson: lesson.value }),
    }),
    earlier: (before) => turn(() => earlier(live, before), []),
    decisions: () => turn(() => live.session.allDecisions(), ""),
    play: () => {
      if (status.value?.idle) say("info", "Nothing more is to come. Add something, or go back.");
      else clock.play();
    },
    pause: () => { clock.pause().catch(failed); },
    step: (unit) => still(() => travel.step(unit), undefined),
    runToEnd: () => clock.toEnd(),
    back: () => still(() => travel.back(), undefined),
    seekTime: (nanoseconds) => still(() => travel.toTime(Math.max(0, Math.round(nanoseconds))), undefined),
    seekDecision: (seq) => still(() => travel.toDecision(seq), undefined),
    cutHere: () => still(() => travel.cutHere(), undefined),
    feed: (inputs) => turn(() => feed.inputs(inputs), false),
    importLines: (text) => turn(() => feed.lines(text), false),
    reload: (configuration) => turn(() => feed.reload(configuration), false),
    explain: (picked) => explain(live, picked),
    wherePlaced: (where) => orNothing(live.session.placement(where)),
    inForce: () => orNothing(inForce(live)),
    limitUsage: async () => (await orNothing(live.session.limits()))?.usage ?? [],
    dryRun: (ask) => asked(live, "preemption", ask),
    loadModule: (module) => turn(() => modules.load(module), false),
    dropModule: (name) => turn(() => modules.drop(name), false),
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
  return orNothing(live.session.explain(kind, name));
}

async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}
