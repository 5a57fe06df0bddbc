/** Keeps the work of this page in the browser, so that a reload or the Back button brings it back. */

import { effect } from "@preact/signals";
import { draft, edited } from "../configure/draft";
import { open as openLesson, showStep } from "../learn/open";
import { presets } from "../learn/presets";
import { inputsOf } from "../engine/journal";
import { draft as policy, touched as policyTouched } from "../policy/draft";
import { draft as feature, touched } from "../scenarios/draft";
import { embedded } from "../share/link";
import { say } from "../state/notices";
import { actions } from "../state/run";
import type { Snapshot } from "../state/snapshot";
import { edits, phase, playing, run, savedEdits, status, unsaved } from "../state/store";
import { WorkStore, type KeptPlace, type KeptRun, type KeptWork } from "./store";
import { tooLarge } from "./bound";

const pause = 400; // milliseconds without a change before it is kept

const store = new WorkStore();
/** Which run was kept with its journal, and after how many changes. */
let keptRun = "";
/** The run that could not be kept: it is told once. */
let failedRun = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what is here from now on, whenever it has changed. */
export function keepWork(): void {
  if (embedded) return;
  effect(() => {
    const changing = [run.value, edits.value, savedEdits.value, openLesson.value?.index, draft.value, feature.value, policy.value, playing.value ? 0 : status.value];
    if (changing[0] === "" || phase.value !== "ready") return;
    clearTimeout(timer);
    timer = setTimeout(() => { void keepNow(); }, pause);
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden) void keepNow(); });
  addEventListener("pagehide", () => { void keepNow(); });
  addEventListener("beforeunload", (event) => {
    if (failedRun === run.peek() && unsaved.peek()) event.preventDefault();
  });
}

async function keepNow(): Promise<void> {
  clearTimeout(timer);
  const now = actions.snapshot();
  if (!now || phase.peek() !== "ready") return;
  const version = actions.version();
  try {
    const large = tooLarge(now.lines);
    if (large !== undefined) throw new Error(large);
    await store.put(placeOf(now), version === keptRun ? undefined : runOf(now));
    keptRun = version;
  } catch (thrown) {
    // An unchanged lesson can be opened again at any time.
    if (failedRun !== now.run && (now.edits > 0 || (now.origin === "" && now.lesson === ""))) {
      failedRun = now.run;
      say("info", `The browser does not keep “${now.title}” for your next visit: ${thrown instanceof Error ? thrown.message : String(thrown)}. Export the journal before you close the page.`);
    }
  }
}

function placeOf({ run: name, title, now, seq, midway, speed, edits: count, savedEdits: saved }: Snapshot): KeptPlace {
  return {
    run: name, title, now, seq, midway, speed, edits: count, savedEdits: saved, at: Date.now(), step: openLesson.peek()?.index ?? 0,
    ...(edited.peek() && { configuration: draft.peek() }), ...(touched.peek() && { feature: feature.peek() }), ...(policyTouched.peek() && { policy: policy.peek() }),
  };
}

/** The journal of a lesson as it comes need not be kept. */
function runOf({ run: name, header, lines, modules, grace, title, lesson, origin, edits: count }: Snapshot): KeptRun {
  return { run: name, header, lines: count === 0 && origin !== "" && presets.some((preset) => origin === `lesson=${preset.name}`) ? [] : lines, modules, grace, title, lesson, origin };
}

/** Goes back to a run that this page left, or one that was kept. False: it is not known. */
export async function resumeRun(name: string): Promise<boolean> {
  const left = actions.leftBehind(name);
  if (left) return actions.resume(left);
  const kept = await store.get(name).catch(() => undefined);
  return kept !== undefined && await resumeKept(kept);
}

async function resumeKept({ run: of, place }: KeptWork): Promise<boolean> {
  const lesson = presets.find(({ name }) => name === of.lesson);
  const lines = of.lines.length === 0 && lesson ? inputsOf(lesson.scenario.journal) : of.lines;
  if (!(await actions.resume({ ...of, ...place, lines }))) return false;
  showStep(place.step);
  if (place.configuration) draft.value = place.configuration;
  if (place.feature) feature.value = place.feature;
  if (place.policy !== undefined) policy.value = place.policy;
  return true;
}

/** Offers to go on with changes of an earlier visit that were not exported. */
export async function offerKept(): Promise<void> {
  if (embedded) return;
  const places = await store.places().catch(() => []);
  const last = places.find((place) => place.edits !== place.savedEdits && place.run !== run.peek());
  if (!last) return;
  say("info", `You changed “${last.title}” by hand (${new Date(last.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}), and did not export it. This browser has kept it.`,
    { text: "Continue", act: () => { void continueWith(last.run); } }, { text: "Discard", act: () => { void store.remove(last.run); } });
}

async function continueWith(name: string): Promise<void> {
  const kept = await store.get(name).catch(() => undefined);
  if (!kept || !(await resumeKept(kept))) say("error", "The browser no longer has it.");
}
