/** Beginning a scenario. */

import { eachInput, fieldsOf, firstTime, inputsOf, isHeader } from "../engine/journal";
import { policyLine } from "../engine/policy-line";
import { Session, type Goal, type Share } from "../engine/session";
import type { StatusAnswer } from "../engine/types";
import type { Module, Scenario } from "../model/scenario";
import { second } from "../model/times";
import type { Live } from "./live";
import type { Modules } from "./modules";
import { shown } from "./progress";
import { lesson, overlay, selection, speed, title } from "./store";

/** Replaces what runs by a scenario, at the moment at which it begins. Where it is refused what ran goes on. */
export async function open(live: Live, modules: Modules, scenario: Scenario): Promise<void> {
  const old = live.any ? live.session : undefined;
  await shown(`Opening ${scenario.title}`, async (share) => {
    const undo = await modules.replace(scenario.modules ?? []);
    const session = await begun(live, scenario, (part) => share(part / 2)).catch(async (thrown: unknown) => {
      await undo();
      throw thrown;
    });
    live.enter(session);
    selection.value = overlay.value = undefined;
    title.value = scenario.title;
    lesson.value = scenario.lesson ?? "";
    speed.value = scenario.speed ?? 1;
    const { begin } = scenario;
    const goal = begin === undefined ? recorded(session.now) : { time: Math.round(begin * second) };
    await live.look(session.now);
    await live.advance(goal, (part) => share(0.5 + part / 2));
  });
  await old?.free();
}

/** Where the first line of the journal says that its replay ends; else the start. */
function recorded({ ends = 0, endsIdle }: StatusAnswer): Goal {
  return endsIdle ? { idle: true } : { time: ends };
}

/** A session with all that a scenario says, at its start. */
async function begun(live: Live, { grace, ...scenario }: Scenario, share: Share): Promise<Session> {
  const session = await Session.begin(live.engine, grace === undefined ? undefined : Math.round(grace * second));
  try {
    await fill(live, session, scenario, share);
    await session.status();
    return session;
  } catch (thrown) {
    await session.free();
    throw thrown;
  }
}

/** Feeds what a scenario says. What is beside its journal comes first. */
async function fill(live: Live, session: Session, { journal, config, modules = [] }: Scenario, share: Share): Promise<void> {
  await session.feed(beginning(journal));
  const at = firstTime(eachInput(journal));
  const lines = await Promise.all(unnamed(journal, modules).map((module) => policyLine(live.engine, { ...module, at })));
  if (config) lines.push(JSON.stringify({ at, type: "config.set", config: config.text, format: config.format }));
  if (lines.length > 0) await session.feed(lines.join("\n"));
  await session.feedAll(journal, share);
}

/** A journal up to the line that says how it is replayed, which comes before all else; empty: there is none. */
function beginning(journal: string): string {
  const line = /^[^\S\n]*(?![#\s]).+$/m.exec(journal);
  return line && isHeader(line[0].trim()) ? journal.slice(0, line.index + line[0].length) : "";
}

/** The modules that no line of a journal announces. */
function unnamed(journal: string, modules: readonly Module[]): readonly Module[] {
  if (modules.length === 0) return modules;
  const named = new Set(inputsOf(journal).filter((line) => line.includes('"policy.set"')).map((line) => fieldsOf(line).name));
  return modules.filter(({ name }) => !named.has(name));
}
