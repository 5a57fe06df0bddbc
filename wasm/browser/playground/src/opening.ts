import { openLinked, showPlace } from "./follow-address";
import { offerKept, resumeRun } from "./keep/keep";
import { openLesson } from "./learn/open";
import { presets } from "./learn/presets";
import { actions } from "./state/run";
import { embedded } from "./share/link";
import { run, type View } from "./state/store";
import { welcomeScenario } from "./welcome/example";
import { readAddress } from "./ui/address";

/** Opens what ran before a reload, else what the address names, else an example. */
export async function openFirst(): Promise<void> {
  const to = readAddress(location.hash);
  const { run: before } = (history.state ?? {}) as { readonly run?: string };
  if (before !== undefined && await resumeRun(before)) {
    await showPlace(to, true); // the address is newer than what was kept last
    return;
  }
  await openNamed(to.lesson, to.step);
  if (run.peek() === "") await openExample(to.view);
  await showPlace({ ...to, step: undefined, lesson: undefined }, false); // a lesson opened at its step
  void offerKept();
}

async function openNamed(lesson: string | undefined, step = 1): Promise<void> {
  if (await openLinked()) return;
  if (lesson !== undefined) await openLesson(lesson, step - 1);
}

/** The cluster begins with one that is full, and moves unless the browser is to keep still; all other views with the first lesson. */
async function openExample(named: View): Promise<void> {
  if (named !== "cluster" || embedded) {
    if (presets[0]) await openLesson(presets[0].name);
    return;
  }
  await actions.open(welcomeScenario());
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) actions.play();
}
