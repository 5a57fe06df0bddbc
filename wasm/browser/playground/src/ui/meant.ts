/** Names that are like one that nothing has. */

import { useEffect, useState } from "preact/hooks";
import { actions } from "../state/run";
import type { Found } from "./find";

/** How long after the last key, in milliseconds, names are compared with the text. */
const settles = 150;
const kinds = ["queue", "app", "node", "ask"] as const;

/** What a text that nothing has may mean; wanted: it is to be found out. */
export function useMeant(text: string, wanted: boolean): readonly Found[] {
  const [heard, setHeard] = useState<{ readonly text: string; readonly found: readonly Found[] }>();
  useEffect(() => {
    if (!wanted) return undefined;
    let here = true;
    const timer = setTimeout(() => {
      void like(text).then((found) => { if (here) setHeard({ text, found }); });
    }, settles);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [text, wanted]);
  return wanted && heard?.text === text ? heard.found : [];
}

async function like(text: string): Promise<Found[]> {
  const names = await Promise.all(kinds.map((kind) => actions.meant(kind, text)));
  return kinds.flatMap((kind, i) => (names[i] ?? []).map((id) => ({ kind, id })));
}
