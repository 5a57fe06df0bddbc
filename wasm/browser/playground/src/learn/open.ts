/** Which lesson is open, and at which step. A lesson is open as long as its scenario is. */

import { batch, computed, effect, signal } from "@preact/signals";

import { second } from "../model/times";
import { actions } from "../state/run";
import { lessonFragment } from "../share/link";
import { lesson as running, origin, playing, progress, selection, status, view } from "../state/store";
import { asOneStep, inPassing } from "../state/one-step";
import { addressOf } from "../ui/route";
import { overTime } from "../see/over-time";
import type { Lesson, Moment, Step } from "./course";
import { presets } from "./presets";
import { see } from "./progress";

const lessonNamed = (name: string): Lesson | undefined => presets.find((each) => each.name === name);

const place = signal({ name: "", step: 0 });
/** The lesson whose panel was closed. */
const closed = signal("");

export interface Open {
  readonly lesson: Lesson;
  readonly index: number;
  readonly step: Step;
  /** When the step is: its own moment, or that of the last step which has one. */
  readonly moment: Moment;
}

export const open = computed((): Open | undefined => {
  const lesson = lessonNamed(running.value);
  if (!lesson || lesson.name === closed.value) return undefined;
  const index = place.value.name === lesson.name ? place.value.step : 0;
  const step = lesson.steps[index];
  return step && { lesson, index, step, moment: lesson.steps.slice(0, index + 1).findLast((s) => s.goto)?.goto ?? { seconds: 0 } };
});

/** Opens a lesson by its name, from the start or at a step. False: there is none, or it was not opened; the page says so. */
export async function openLesson(name: string, step = 0): Promise<boolean> {
  const lesson = lessonNamed(name);
  if (!lesson) {
    actions.say("error", `There is no lesson named “${name}”.`, { text: "Show all lessons", address: addressOf("learn") });
    return false;
  }
  return asOneStep(async () => {
    if (!(await actions.open(lesson.scenario))) return false;
    origin.value = lessonFragment(name).slice(1);
    closed.value = "";
    view.value = "cluster";
    overTime.value = false;
    await travel(lesson, known(lesson, step));
    return true;
  });
}

/** A step that the lesson has; of one that it does not have the page says so. */
function known(lesson: Lesson, step: number): number {
  if (lesson.steps[step]) return step;
  actions.say("error", `The lesson “${lesson.title}” has ${lesson.steps.length} steps, and the address names another one. This is the first step.`, { text: "Show all lessons", address: addressOf("learn") });
  return 0;
}

/** Goes to a step of the open lesson, and to its moment. */
export async function goTo(step: number): Promise<void> {
  const { lesson } = open.value ?? {};
  if (lesson) await asOneStep(() => travel(lesson, known(lesson, step)));
}

/** Shows a step of the lesson that runs, wherever the session is; reopens its panel. */
export function showStep(step: number): void {
  const lesson = lessonNamed(running.value);
  if (!lesson) return;
  closed.value = "";
  place.value = { name: lesson.name, step: lesson.steps[step] ? step : 0 };
}

/** Has a lesson that plays go on to each step as its moment is reached, but not on a run to the end; returns what ends that. */
export function followPlayhead(reached: (moment: Moment) => boolean): () => void {
  return effect(() => {
    const now = open.value;
    if (!playing.value || progress.value !== undefined || !now || status.value === undefined) return;
    const next = now.lesson.steps.findLastIndex((step, i) => i > now.index && step.goto !== undefined && reached(step.goto));
    if (next < 0) return;
    // Behind this effect, so that whatever follows the change runs while it is in passing.
    queueMicrotask(() => { inPassing(() => { advance(now.lesson, next); }); });
  });
}

function advance(lesson: Lesson, index: number): void {
  const keeps = ownPick();
  batch(() => {
    place.value = { name: lesson.name, step: index };
    see(lesson.name, index + 1);
    if (!keeps) actions.select(lesson.steps[index]?.select);
    showOverTime(lesson.steps[index]);
  });
}

/** Whether the user picked something else than the open step points at. */
function ownPick(): boolean {
  const picked = selection.peek();
  const pointed = open.peek()?.step.select;
  return picked !== undefined && (picked.kind !== pointed?.kind || picked.id !== pointed.id);
}

export function closeLesson(): void {
  closed.value = open.value?.lesson.name ?? "";
}

async function travel(lesson: Lesson, index: number): Promise<void> {
  const step = lesson.steps[index];
  if (!step) return;
  place.value = { name: lesson.name, step: index };
  see(lesson.name, index + 1);
  showOverTime(step);
  if (step.goto) await seek(step.goto);
  actions.select(step.select);
}

function showOverTime(step: Step | undefined): void {
  if (step?.overTime !== undefined) overTime.value = step.overTime;
}

/** Back to the moment of the open step, wherever the session has gone. */
export async function returnToStep(): Promise<void> {
  if (open.value) await seek(open.value.moment);
}

async function seek(moment: Moment): Promise<void> {
  if (moment === "end") await actions.runToEnd();
  else if ("seconds" in moment) await actions.seekTime(moment.seconds * second);
  else await actions.seekDecision(moment.decision);
}
