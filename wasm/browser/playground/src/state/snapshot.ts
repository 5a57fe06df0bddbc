/** What runs at one moment, as it can be opened again. */

import { journalText } from "../engine/journal";
import type { Module, Scenario } from "../model/scenario";
import { second } from "../model/times";
import type { Live } from "./live";
import type { Modules } from "./modules";
import { open } from "./open";
import { edits, lesson, origin, run, savedEdits, speed, title } from "./store";

export interface Snapshot {
  readonly run: string;
  readonly origin: string;
  readonly title: string;
  readonly lesson: string;
  /** The journal: its first line, and all others. */
  readonly header: string;
  readonly lines: readonly string[];
  readonly modules: readonly Module[];
  /** In seconds. */
  readonly grace: number;
  readonly speed: number;
  /** Where it is: a time in nanoseconds, and in the middle of an instant the last decision. */
  readonly now: number;
  readonly seq: number;
  readonly midway: boolean;
  readonly edits: number;
  readonly savedEdits: number;
}

/** Names a state of a journal: another one after each change of what runs. */
export function versionOf(live: Live): string {
  return `${run.peek()} ${edits.peek()} ${live.any ? `${live.session.number} ${live.session.journal.revision}` : ""}`;
}

/** Undefined: nothing runs. */
export function snapshotOf(live: Live, modules: Modules): Snapshot | undefined {
  if (!live.any) return undefined;
  const { session } = live;
  const { now, seq, midway } = session.now;
  return {
    run: run.peek(), origin: origin.peek(), title: title.peek(), lesson: lesson.peek(), ...session.parts(), modules: modules.all,
    grace: session.grace / second, speed: speed.peek(), now, seq, midway, edits: edits.peek(), savedEdits: savedEdits.peek(),
  };
}

/** Opens a snapshot again, at its moment. */
export async function restore(live: Live, modules: Modules, from: Snapshot): Promise<void> {
  const scenario: Scenario = {
    title: from.title, journal: journalText(from.header, from.lines), grace: from.grace, modules: from.modules, begin: 0, speed: from.speed,
    ...(from.lesson !== "" && { lesson: from.lesson }),
  };
  await open(live, modules, scenario);
  if (from.now > 0) await live.advance({ time: from.now });
  if (from.midway) await live.jump({ seq: from.seq });
  run.value = from.run;
  origin.value = from.origin;
  edits.value = from.edits;
  savedEdits.value = from.savedEdits;
}
