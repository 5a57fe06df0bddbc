import { actions } from "../state/run";
import { playing } from "../state/store";
import { explainAsk } from "./questions";

/** Among more than these the place is not looked for: it takes a question for each. */
const mostSiblings = 12;

/**
 * Which place an application has among those of its queue that wait, in words; "" where it is not known. Any ask tells where
 * its application stands, since the asks of one come one after the other.
 */
export async function placeAmong(id: string): Promise<string> {
  const { apps } = actions.model();
  const app = apps.get(id);
  if (!app || playing.peek()) return "";
  const waiting = [...apps.values()].filter((a) => a.queue === app.queue).flatMap((a) => {
    const ask = [...a.asks.values()].find((one) => one.node === undefined);
    return ask ? [{ app: a.id, ask: ask.id }] : [];
  });
  if (waiting.length > mostSiblings || !waiting.some((w) => w.app === id)) return "";
  const places = await Promise.all(waiting.map(async ({ app: of, ask }) => ({ of, place: (await explainAsk(ask))?.place ?? 0 })));
  places.sort((a, b) => a.place - b.place);
  const before = places.findIndex((p) => p.of === id);
  return places.length > 1 ? `number ${before + 1} of the ${places.length} applications of its queue that wait` : "no other application of its queue waits";
}
