/** The address and the page follow each other: a link, Back and Forward change what is shown, and what is shown changes the address. */

import { effect } from "@preact/signals";
import { resumeRun } from "./keep/keep";
import { goTo, open as openNow, openLesson, showStep } from "./learn/open";
import { showSelected } from "./see/section";
import { fromServer } from "./share/given";
import { fromOpener } from "./share/handed";
import { embedded, fromFragment } from "./share/link";
import { actions } from "./state/run";
import { lesson, notices, origin, phase, run, selection, status, view, type Selection } from "./state/store";
import { readAddress, writeAddress, type Address, type Named } from "./ui/address";
import { asOneStep, openings, passing, underWay } from "./state/one-step";
import { addressOf } from "./ui/route";

/** What the browser keeps with an address. */
interface Entry {
  readonly run?: string;
  /** Something opens here, and its address is not known yet: when it began, in milliseconds, which names the opening. */
  readonly opening?: number;
}

const entry = (): Entry | null => history.state as Entry | null;
let following: Promise<unknown> = Promise.resolve();
/** Addresses that wait to be followed, with the one that is. */
let queued = 1; // the first
/** Addresses that wait for a step which is under way. */
let waiting = 0;
/** Ways back that the page takes by itself, and does not follow. */
let ownBacks = 0;
/** The opening that is under way, and what ran when it began. */
let held: { readonly opening: number; readonly before: string } | undefined;
/** The run that came of each opening: where the user goes back before its end, its entry cannot be given the address of it. */
const cameOf = new Map<number, string>();

/** Has both follow each other from now on; an address that comes before the first was opened waits for that. */
export function followAddress(opened: Promise<unknown>): void {
  following = opened.finally(() => queued--);
  const follow = () => {
    if (ownBacks > 0) {
      ownBacks--;
      return;
    }
    queued++;
    waiting++;
    following = following.then(settled).then(() => {
      waiting--;
      return asOneStep(go, true);
    }).catch(() => undefined).finally(() => queued--);
  };
  addEventListener("popstate", follow); // of links, too; hashchange would come for the same change once more
  if (embedded) return;
  openings.subscribe(holdPlace);
  effect(noteOpened);
  effect(writeNow);
}

/** Ends when no step is under way: what opens may not replace the address that Back went to. */
function settled(): Promise<void> {
  return new Promise((done) => {
    const end = underWay.subscribe((count) => {
      if (count > 0) return;
      queueMicrotask(() => end());
      done();
    });
  });
}

/** Gives what opens an entry of its own as soon as it begins: else Back would leave the page where it was the first. */
function holdPlace(): void {
  const name = run.peek();
  if (phase.peek() !== "ready" || name === "" || entry()?.run !== name || queued > 0) return;
  held = { opening: Date.now(), before: name };
  write("pushState", { run: name, opening: held.opening }, location.hash);
}

/** Remembers what came of the opening that is under way. One that ends with the run that was there before was refused. */
function noteOpened(): void {
  const name = run.value;
  const ended = underWay.value === 0;
  if (held && name !== held.before) cameOf.set(held.opening, name);
  if (ended) held = undefined;
}

/** Writes the address of what is shown. */
function writeNow(): void {
  const address = writeAddress({ view: view.value, origin: origin.value, step: (openNow.value?.index ?? 0) + 1, ...(selection.value && { picked: selection.value }) });
  const name = run.value;
  if (phase.value !== "ready" || underWay.value > 0 || name === "" || queued > 1 || waiting > 0) return; // what is shown belongs to an address that was left meanwhile
  const state = entry();
  if (location.hash === address && state?.run === name) {
    if (state.opening !== undefined) leaveHeld();
    return;
  }
  write(passing || state?.run === undefined || state.opening !== undefined ? "replaceState" : "pushState", { run: name }, address);
}

/** Takes back the entry of what was not opened after all. */
function leaveHeld(): void {
  ownBacks++;
  history.back();
}

function write(how: "pushState" | "replaceState", state: Entry, address: string): void {
  try {
    history[how](state, "", address);
  } catch {
    // A browser that is asked too often refuses; the next change is written again.
  }
}

/** Shows what the address names. */
async function go(): Promise<void> {
  const { run: of, opening = 0 } = entry() ?? {};
  const came = cameOf.get(opening);
  const name = came ?? of;
  const to = readAddress(came === undefined ? location.hash : addressOf("cluster")); // that of an opening is of what ran before
  notices.value = notices.value.filter(({ kind, acts }) => kind === "info" || acts.length === 0); // about an address that was left
  const known = name !== undefined && (name === run.peek() || await resumeRun(name));
  // Where nothing is opened the user keeps what runs, and its address takes the place of this one.
  const before = run.peek();
  if (!known && !(await openNamed(to))) return;
  // A lesson opens at its step.
  await showPlace(known || run.peek() === before ? to : { ...to, step: undefined, lesson: undefined }, known);
}

/** Opens what a link names, unless it runs already. False: it was not opened. */
async function openNamed(to: Address): Promise<boolean> {
  if (to.origin === "" || (to.origin === origin.peek() && to.lesson === undefined)) return true;
  if (to.lesson === undefined || to.origin !== `lesson=${to.lesson}`) return openLinked();
  if (to.origin !== origin.peek() || openNow.peek() === undefined) return openLesson(to.lesson, (to.step ?? 1) - 1);
  return true;
}

/** Opens the scenario that the address has, or names; false: there is none that can be opened. */
export async function openLinked(): Promise<boolean> {
  const scenario = (await fromServer(location.hash)) ?? (await fromOpener(location.hash)) ?? (await fromFragment(location.hash));
  if (scenario === undefined || !(await actions.open(scenario))) return false;
  origin.value = readAddress(location.hash).origin;
  return true;
}

/** Shows the view, the step and the selection of an address; back: it was here before. */
export async function showPlace({ view: named, unknownView, step = 1, lesson: of, picked }: Address, back: boolean): Promise<void> {
  if (unknownView !== undefined) actions.say("error", `There is no view named “${unknownView}”. This is the cluster.`, { text: "Show the lessons", address: addressOf("learn") });
  view.value = named;
  const open = openNow.peek();
  if (of !== undefined && of === lesson.peek()) {
    if (open === undefined) showStep(step - 1);
    else if (open.index !== step - 1) await goTo(step - 1);
  }
  if (picked) {
    await pick(picked);
    if (openNow.peek() === undefined && !back) showSelected();
  }
  else if (back && named === "cluster") actions.select(undefined);
}

/** Selects what an address names. Of what does not exist the inspector says so; a decision has to be found first. */
async function pick({ kind, id }: Named): Promise<void> {
  const now = selection.peek();
  if (now?.kind === kind && now.id === id) return;
  if (kind !== "decision") {
    actions.select({ kind, id });
    return;
  }
  const found = await findDecision(id);
  actions.select(found);
  const last = status.peek()?.seq ?? 0;
  if (!found) actions.say("error", `There is no decision “${id}”: the last one is number ${last}.`, { text: "Select the last decision", act: () => { void pick({ kind, id: String(last) }); } });
}

/** The session plays on to a decision that was not made yet. */
async function findDecision(id: string): Promise<Selection | undefined> {
  const seq = Number(id);
  if (!Number.isSafeInteger(seq) || seq < 1) return undefined;
  if (seq > (status.peek()?.seq ?? 0)) await actions.seekDecision(seq);
  const decision = await actions.decision(seq);
  return decision?.seq === seq ? { kind: "decision", id, decision } : undefined;
}
