/** Has the cluster's configuration name a module. */

import { actions, engine } from "../state/run";
import { configuration } from "../state/store";
import { withPolicies, type NamedPoint } from "./configuration";
import { failureWords } from "./run";
import { unset } from "./setup";

/** Reloads the configuration in force with the module in it, wherever another decides at these points. */
export async function nameInCluster(name: string, points: readonly NamedPoint[]): Promise<void> {
  const { text, format } = configuration.value ?? unset;
  try {
    const { answer } = await engine().request("check", { format }, text);
    if (answer.normal === undefined) actions.say("error", "The configuration in force cannot be read, so nothing was named in it.");
    else await actions.reload({ text: withPolicies(answer.normal, Object.fromEntries(points.map((point) => [point, name]))), format: "yaml" });
  } catch (thrown) {
    actions.say("error", `${name} could not be named: ${failureWords(thrown)}`);
  }
}
