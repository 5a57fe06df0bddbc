/** The cluster of the page, as a scenario. */

import { fileName } from "../share/files";
import { say } from "../state/notices";
import { actions } from "../state/run";
import { status, title } from "../state/store";
import { CannotSay, toFeature } from "./feature";
import { replaceDraft } from "./replace";

/** Makes the draft of what the cluster has seen so far; where that cannot be written in sentences it says why. */
export async function writeFromCluster(): Promise<void> {
  const now = status.peek();
  if (!now) return;
  const [journal, decisions] = await Promise.all([actions.journal(), actions.decisions()]);
  try {
    // In the midst of an instant the result is not known yet.
    const text = toFeature({ title: title.peek(), journal, decisions, now: now.midway ? now.now - 1 : now.now });
    await replaceDraft({ name: fileName(title.peek(), "feature"), text });
  } catch (thrown) {
    if (!(thrown instanceof CannotSay)) throw thrown;
    say("error", `No scenario was written: ${thrown.message}`);
  }
}
