/** Which lesson is open, and at which step. A lesson is open as long as its scenario is. */

import { computed, signal } from "@preact/signals";

import { lessonFragment, lessonOf } from "../share/link";
import { second } from "../model/times";
import { actions } from "../state/run";
import { lesson as running, view } from "../state/store";
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

/** Opens a lesson by its name, from the start or at a step. False: there is none, or it cannot be opened; the page says so. */
export async function openLesson(name: string, step = 0): Promise<boolean> {
  const lesson = lessonNamed(name);
  if (!lesson) {
    actions.say("error", `There is no lesson named ${name}. All lessons are listed under Learn.`);
    return false;
  }
  if (!(await actions.open(lesson.scenario))) return false;
  closed.value = "";
  view.value = "cluster";
  history.replaceState(null, "", lessonFragment(name));
  await travel(lesson, step);
  return true;
}

/** Goes to a step of the open lesson, and to its moment. */
export async function goTo(step: number): Promise<void> {
  if (open.value) await travel(open.value.lesson, step);
}

export function closeLesson(): void {
  closed.value = open.value?.lesson.name ?? "";
}

/** Has lessons follow the address from now on: a link to one opens it. */
export function followLessons(): void {
  addEventListener("hashchange", () => {
    const name = lessonOf(location.hash);
    if (name === undefined) return;
    closed.value = "";
    if (open.value?.lesson.name !== name) void openLesson(name);
  });
}

async function travel(lesson: Lesson, index: number): Promise<void> {
  const step = lesson.steps[index];
  if (!step) return;
  place.value = { name: lesson.name, step: index };
  see(lesson.name, index + 1);
  if (step.goto) await seek(step.goto);
  actions.select(step.select);
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
