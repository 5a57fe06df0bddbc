/** Files that are dropped while the scheduler loads: they are opened when it is there. */

import { signal } from "@preact/signals";
import { phase } from "../state/store";
import { openFiles } from "./files";

/** The names of the files that wait. */
export const waiting = signal<readonly string[]>([]);

let before: Promise<unknown> = Promise.resolve();

/** Opens files, one lot after the other; while the scheduler loads, they wait for it. */
export function openWhenReady(files: readonly File[]): void {
  const names = files.map(({ name }) => name);
  if (phase.peek() === "loading") waiting.value = [...waiting.peek(), ...names];
  before = before.then(loaded).then((ready) => {
    waiting.value = [];
    return ready ? openFiles(files) : undefined;
  });
}

/** Waits until the scheduler is there; false: it will not come. */
function loaded(): Promise<boolean> {
  return new Promise((done) => {
    const end = phase.subscribe((now) => {
      if (now === "loading") return;
      queueMicrotask(() => end());
      done(now === "ready");
    });
  });
}
