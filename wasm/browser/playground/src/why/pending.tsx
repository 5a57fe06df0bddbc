import type { AskExplanation } from "../engine/types";
import { actions } from "../state/run";
import { queues, status } from "../state/store";
import { amounts, duration } from "../ui/format";
import { DryRun } from "./dry-run";
import { never } from "./never";
import { NodeCounts } from "./node-counts";
import { Facts, Pick, Picks, useHeadline, Verbatim } from "./parts";
import { member, neverHeadline, Reasons, setAside } from "./reasons";
import { RoomAlong } from "./room";
import { Turn } from "./turn";
import { waitsBecause } from "./words";

/** An ask that waits: what for, what would help, its place in the order, and its victims. */
export function Pending({ e }: { readonly e: AskExplanation }) {
  const ask = actions.model().asks.get(e.id);
  const against = never(e);
  useHeadline(against ? neverHeadline(against) : waitsBecause(e.reasons ?? [], { lacks: e.lacks }));
  const waited = (status.peek()?.now ?? 0) - (e.since ?? 0);
  return (
    <>
      <Facts facts={[
        ["Application", <Pick kind="app" id={e.app ?? ""} />],
        ["Queue", <Pick kind="queue" id={e.queue ?? ""} />],
        ["Resources", ask && amounts(ask.resources)],
        ["In its gang", member(e.member)],
        ["Waits", `${duration(waited)}, since ${duration(e.since ?? 0)}`],
        [setAside(e), e.node && <Pick kind="node" id={e.node} />],
        ["Still to leave", e.kept && <Leaving ask={e.id} node={e.node} />],
      ]} />
      <Reasons e={e} against={against} />
      <RoomAlong e={e} wants={ask?.resources} queues={queues.peek()} />
      <NodeCounts e={e} />
      <Turn e={e} pending={actions.model().pending} />
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
