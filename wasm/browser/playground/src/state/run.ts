/** The one scheduler of the page, and what a user can do to it. */

import type { Engine } from "../engine/client";
import { startEngine } from "../engine/start";
import { Live } from "./live";
import { nextFrame } from "./next-frame";
import { wordsOf } from "./notices";
import { perform, type MayReplace } from "./perform";
import { phase, progress } from "./store";

const live = new Live();

let mayReplace: MayReplace = () => Promise.resolve(true);

export const actions = perform(live, nextFrame, (title) => mayReplace(title));

/** Has the user asked before an opening loses changes. */
export function askBeforeReplacing(ask: MayReplace): void {
  mayReplace = ask;
}

/** The scheduler that the page's session runs in; also for what needs no session. */
export function engine(): Engine {
  return live.engine;
}

/**
 * Loads the scheduler, and has something opened before the page is shown. whileWaiting is called again and again while the server
 * has no scheduler yet.
 */
export async function start(openFirst: () => Promise<unknown>, whileWaiting: () => void = () => undefined): Promise<void> {
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    phase.value = "unsupported";
    return;
  }
  const what = "Loading the scheduler";
  progress.value = { share: 0, what };
  try {
    live.engine = await startEngine((loaded, total, waits) => {
      progress.value = { share: total > 0 ? loaded / total : 0, what: waits ? `Waiting for the scheduler: ${waits}` : what };
      if (waits) whileWaiting();
    });
    await openFirst();
    progress.value = undefined;
    if (phase.value === "loading") phase.value = "ready";
  } catch (thrown) {
    progress.value = undefined;
    actions.say("error", `The scheduler could not be loaded. ${wordsOf(thrown)}`);
  }
}
