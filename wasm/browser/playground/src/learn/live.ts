/** What of a step is true now, while the session runs. */

import { computed, effect, signal } from "@preact/signals";

import type { StatusAnswer } from "../engine/types";
import { second } from "../model/times";
import { actions } from "../state/run";
import { frame, playing, queues, recent, status } from "../state/store";
import { check, codesOf, isQuestion, type Question } from "./check";
import type { Expectation, Moment, Step } from "./course";
import { followPlayhead, open } from "./open";

/** left: it was to be true at the moment of the step, and the session has gone on or was changed since. */
export type Standing = "to come" | "asking" | "met" | "not met" | "left";

export interface Live {
  readonly expectation: Expectation;
  readonly standing: Standing;
  readonly found: string;
}

/** Codes that the scheduler gave, by question. */
const answers = signal<ReadonlyMap<string, readonly string[]>>(new Map());

/** How the expectations of the open step stand. */
export const standings = computed((): readonly Live[] => {
  const now = status.value;
  const at = open.value;
  if (!at?.step.expect || !now || frame.value < 0) return [];
  const { asks, apps, nodes } = actions.model();
  const sight = {
    asks, apps, nodes, queues: new Map(queues.value.map((q) => [q.path, q])), decisions: recent.value,
    codes: (of: Question) => answers.value.get(keyOf(of)),
  };
  const where = relation(at.moment, now);
  return at.step.expect.map((expectation) => {
    if (where === "before") return { expectation, standing: "to come", found: "" };
    const { met, found } = check(expectation, sight);
    return { expectation, standing: met === undefined ? "asking" : met ? "met" : where === "after" ? "left" : "not met", found };
  });
});

/** Where the session is, seen from a moment. */
export function relation(moment: Moment, now: StatusAnswer): "before" | "there" | "after" {
  if (moment === "end") return now.idle ? "there" : "before";
  const [is, was] = "seconds" in moment ? [now.now, Math.round(moment.seconds * second)] : [now.seq, moment.decision];
  if (is < was) return "before";
  if (is > was) return "after";
  return "seconds" in moment && now.midway ? "before" : "there";
}

const keyOf = (of: Question): string => `${of.kind} ${of.ask}`;

/** Has a lesson that plays go on from step to step, with the playhead. */
export function keepUpWithPlay(): () => void {
  return followPlayhead((moment) => {
    const now = status.value;
    return now !== undefined && relation(moment, now) !== "before";
  });
}

/** Asks the scheduler what only it can say of the open step, whenever something has changed; returns what ends that. */
export function keepAsking(): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let step: Step | undefined;
  const end = effect(() => {
    if (open.value?.step !== step) {
      step = open.value?.step;
      answers.value = new Map();
    }
    const wait = playing.value ? 500 : 150;
    if (frame.value < 0 || waiting !== undefined || !step?.expect?.some(isQuestion)) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      void ask();
    }, wait);
  });
  return () => {
    end();
    clearTimeout(waiting);
  };
}

/** An answer that comes when something has changed again is replaced by the next: each change asks. */
async function ask(): Promise<void> {
  const step = open.value?.step;
  const found = new Map<string, readonly string[]>();
  for (const question of step?.expect?.filter(isQuestion) ?? []) {
    const explanation = await (question.kind === "verdict" ? actions.dryRun(question.ask) : actions.explain({ kind: "ask", id: question.ask }));
    found.set(keyOf(question), codesOf(question, explanation));
  }
  if (open.value?.step === step) answers.value = found;
}
