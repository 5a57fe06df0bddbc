/** What is done by hand: it can be undone, and what ran before can be gone back to. */

import type { Scenario } from "../model/scenario";
import { History } from "./history";
import type { Live } from "./live";
import type { Modules } from "./modules";
import { say } from "./notices";
import { open } from "./open";
import { restore, snapshotOf, type Snapshot } from "./snapshot";
import { edits, origin, redoable, run, savedEdits, undoable } from "./store";

/** Lines of all journals that are kept to undo changes: they share their text, so each costs little. */
const mostLines = 4_000_000;
const mostLeft = 10;

export class Work {
  private readonly live: Live;
  private readonly modules: Modules;
  private readonly history = new History<Snapshot>(({ lines }) => lines.length, mostLines);
  private readonly left = new Map<string, Snapshot>();

  constructor(live: Live, modules: Modules) {
    this.live = live;
    this.modules = modules;
  }

  snapshot(): Snapshot | undefined {
    return snapshotOf(this.live, this.modules);
  }

  leftBehind(name: string): Snapshot | undefined {
    return this.left.get(name);
  }

  /** Makes a change that can be undone. False: nothing was changed. */
  async edit(what: string, change: () => Promise<boolean>): Promise<boolean> {
    const before = this.snapshot();
    const done = await change();
    if (done && before) {
      edits.value++;
      this.note(what, before);
    }
    return done;
  }

  /** Opens a scenario as a run of its own. */
  async open(scenario: Scenario): Promise<void> {
    const before = this.snapshot();
    await open(this.live, this.modules, scenario);
    run.value = nameOfRun();
    origin.value = "";
    edits.value = savedEdits.value = 0;
    if (!before) return;
    this.leave(before);
    this.note(`open “${scenario.title}”`, before);
  }

  async resume(snapshot: Snapshot): Promise<void> {
    const before = this.snapshot();
    await restore(this.live, this.modules, snapshot);
    if (before && before.run !== snapshot.run) this.leave(before);
  }

  async undo(): Promise<void> {
    await this.step("undo", "Undone");
  }

  async redo(): Promise<void> {
    await this.step("redo", "Done again");
  }

  private async step(way: "undo" | "redo", told: string): Promise<void> {
    const now = this.snapshot();
    const change = now && this.history[way](now);
    if (!change) {
      say("info", `There is nothing to ${way}.`);
      return;
    }
    try {
      await this.resume(change.state);
    } catch (thrown) {
      this.history[way === "undo" ? "redo" : "undo"](change.state); // it is still as it was
      throw thrown;
    } finally {
      this.publish();
    }
    say("info", `${told}: ${change.what}.`);
  }

  private note(what: string, before: Snapshot): void {
    this.history.note(what, before);
    this.publish();
  }

  private publish(): void {
    undoable.value = this.history.undoable;
    redoable.value = this.history.redoable;
  }

  private leave(snapshot: Snapshot): void {
    this.left.delete(snapshot.run);
    this.left.set(snapshot.run, snapshot);
    const [oldest] = this.left.keys();
    if (this.left.size > mostLeft && oldest !== undefined) this.left.delete(oldest);
  }
}

function nameOfRun(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}
