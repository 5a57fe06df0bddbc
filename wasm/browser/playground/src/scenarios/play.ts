/** Looking at the draft while it is written, and playing it. */

import type { ParseError, Played } from "./answers";
import { draft, looked, played, playing, type Outcome } from "./draft";
import { check, NoFeature, run, stop } from "./runner";

/** Looks at the draft: what is no feature, and steps that no sentence is like. */
export async function look(): Promise<void> {
  const { text } = draft.peek();
  const outcome = await outcomeOf(text, () => check(text));
  if (draft.peek().text === text && outcome.ended === undefined) looked.value = outcome;
}

/** Plays all scenarios. */
export function playAll(): Promise<void> {
  return play("all scenarios");
}

/** Plays the scenario that a line belongs to. */
export async function playAt(line: number): Promise<void> {
  const { text } = draft.peek();
  const { scenarios } = await outcomeOf(text, () => check(text));
  const begins = Math.max(...scenarios.map((s) => s.line).filter((at) => at <= line));
  if (Number.isFinite(begins)) await play("one scenario", begins);
  else await playAll(); // there is none above the cursor
}

/** Ends what is played. */
export async function stopPlaying(): Promise<void> {
  stopped = true;
  await stop();
}

let stopped = false;

async function play(what: string, line?: number): Promise<void> {
  if (playing.peek() !== undefined) return;
  const { text } = draft.peek();
  playing.value = what;
  stopped = false;
  const outcome = await outcomeOf(text, () => run(text, line));
  playing.value = undefined;
  if (draft.peek().text === text) looked.value = { ...outcome, scenarios: outcome.ended ? [] : (looked.peek()?.scenarios ?? []) };
  played.value = outcome;
}

async function outcomeOf(text: string, ask: () => Promise<{ readonly scenarios: readonly Played[] }>): Promise<Outcome> {
  const none: { scenarios: readonly Played[]; errors: readonly ParseError[] } = { scenarios: [], errors: [] };
  try {
    return { text, ...none, scenarios: (await ask()).scenarios };
  } catch (thrown) {
    if (thrown instanceof NoFeature) return { text, ...none, errors: thrown.errors };
    if (stopped) return { text, ...none, ended: "You have stopped it." };
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { text, ...none, ended: `The runner has ended: ${why}. It starts again with the next run.` };
  }
}
