import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { SpansChart, type Opened } from "../spans/chart";
import { SpansTable } from "../spans/table";
import type { Ahead } from "../state/shapes";
import { actions } from "../state/run";
import { frame, selection, status } from "../state/store";
import { duration } from "../ui/format";
import { Empty } from "../ui/panel";
import { pace, usePaced } from "./pace";
import { spansOf } from "./spans-of";

const nothing: Ahead = { ends: new Map(), plans: [], windows: [] };

/** The nodes of the session over time. */
export function GridTime({ table }: { readonly table: boolean }) {
  const ahead = useAhead();
  const beat = usePaced(500);
  const model = actions.model();
  const now = status.value?.now ?? 0;
  const of = useMemo(() => spansOf(model, now, actions.past(), ahead ?? nothing), [beat, ahead, model.version, now]);
  const open = ({ kind, id }: Opened) => actions.select({ kind, id });
  if (!ahead) return <Empty>Asking the scheduler…</Empty>;
  if (of.spans.length === 0 && of.windows.length === 0) return <Empty>Nothing has run yet, and nothing is planned. Play, or step. Promised ends come with a walltime, planned starts with the key backfill.</Empty>;
  return table ? <SpansTable of={of} say={duration} onOpen={open} /> : <SpansChart of={of} say={duration} picked={selection.value?.kind === "ask" ? selection.value.id : undefined} onOpen={open} />;
}

/** What is known of the time to come, asked for again when the session has changed: the longer an answer takes, the less often. */
function useAhead(): Ahead | undefined {
  const heard = useSignal<Ahead | undefined>(undefined);
  useEffect(() => {
    let [asking, again, over] = [false, false, false];
    const ask = async () => {
      if (asking) {
        again = true;
        return;
      }
      asking = true;
      const begun = performance.now();
      const answer = await actions.ahead();
      if (answer && !over) heard.value = answer;
      setTimeout(() => {
        asking = false;
        if (again && !over) void ask();
        again = false;
      }, Math.min(5000, 10 * (performance.now() - begun)));
    };
    const { ask: soon, stop } = pace(250, () => void ask());
    const ends = [frame.subscribe(soon), status.subscribe(soon)];
    return () => {
      over = true;
      stop();
      for (const end of ends) end();
    };
  }, []);
  return heard.value;
}
