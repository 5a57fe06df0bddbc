import { openLesson } from "./learn/open";
import { presets } from "./learn/presets";
import { fromServer } from "./share/given";
import { fromOpener } from "./share/handed";
import { fromFragment, lessonOf } from "./share/link";
import { actions } from "./state/run";

/** Opens what the address names, else the first lesson; from then on a link that is followed here is opened as well. */
export async function openFirst(): Promise<void> {
  addEventListener("hashchange", () => { void openLinked(); });
  if (await openLinked()) return;
  const lesson = lessonOf(location.hash);
  if (lesson !== undefined && (await openLesson(lesson))) return;
  if (presets[0]) await actions.open(presets[0].scenario);
}

/** Opens the scenario of the address; false: there is none that can be opened. */
async function openLinked(): Promise<boolean> {
  const scenario = (await fromServer(location.hash)) ?? (await fromOpener(location.hash)) ?? (await fromFragment(location.hash));
  return scenario !== undefined && actions.open(scenario);
}
