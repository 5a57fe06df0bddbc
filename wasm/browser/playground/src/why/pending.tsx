import type { AskExplanation } from "../engine/types";
import { actions } from "../state/run";
import { queues, status } from "../state/store";
import { duration } from "../ui/format";
import { DryRun } from "./dry-run";
import { Picks, Verbatim } from "./parts";
import { Waits } from "./waits";

/** An ask that waits: what for, what would help, its place in the order, and its victims. */
export function Pending({ e }: { readonly e: AskExplanation }) {
  const { asks, pending } = actions.model();
  const waited = (status.peek()?.now ?? 0) - (e.since ?? 0);
  return (
    <>
      <Waits
        e={e} wants={asks.get(e.id)?.resources} waited={`${duration(waited)}, since ${duration(e.since ?? 0)}`}
        leaving={e.kept && <Leaving ask={e.id} node={e.node} />} queues={queues.peek()} pending={pending}
      />
      <DryRun ask={e.id} verdict={e.verdict} />
      <Verbatim text={e.text} />
    </>
  );
}

/** The victims of an ask that have yet to leave. */
function Leaving({ ask, node = "" }: { readonly ask: string; readonly node: string | undefined }) {
  const on = actions.model().nodes.get(node)?.allocations.values() ?? [];
  return <Picks kind="ask" ids={[...on].filter((a) => a.leaving === ask).map((a) => a.id)} />;
}
