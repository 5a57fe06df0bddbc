/** What is told of an ask that waits in the playground and in the dashboard of a live scheduler alike. */

import type { ComponentChildren } from "preact";
import type { Amounts, AskExplanation, QueueDump } from "../engine/types";
import { amounts } from "../ui/format";
import { Atomic } from "./atomic";
import { Gang } from "./gang";
import { never } from "./never";
import { NodeCounts } from "./node-counts";
import { Facts, Part, Pick as Name, useHeadline } from "./parts";
import { Planned } from "./planned";
import { member, neverHeadline, Reasons, setAside } from "./reasons";
import { RoomAlong } from "./room";
import { Scores } from "./scores";
import { Turn } from "./turn";
import { waitsBecause } from "./words";

interface WaitsProps {
  readonly e: AskExplanation;
  readonly wants: Amounts | undefined;
  /** How long it has waited, and since when. */
  readonly waited: ComponentChildren;
  /** The victims that have yet to leave for it. */
  readonly leaving?: ComponentChildren;
  readonly queues: readonly QueueDump[];
  /** All asks that wait. */
  readonly pending: number;
}

/** Why an ask waits, what would help, how nodes and queues stand to it, and whose turn it is. */
export function Waits({ e, wants, waited, leaving, queues, pending }: WaitsProps) {
  const against = never(e);
  useHeadline(against ? neverHeadline(against) : waitsBecause(e.reasons ?? [], { lacks: e.lacks }));
  return (
    <>
      <Facts facts={[
        ["Application", <Name kind="app" id={e.app ?? ""} />],
        ["Queue", <Name kind="queue" id={e.queue ?? ""} />],
        ["Wants", wants && amounts(wants)],
        ["Requires", e.required && <>node {e.noSuchNode ? `${e.required}, which does not exist` : <Name kind="node" id={e.required} />}</>],
        ["In its gang", member(e.member)],
        ["Waits", waited],
        ["Preemption", switches(e)],
        [setAside(e), e.node && <Name kind="node" id={e.node} />],
        ["Still to leave", leaving],
      ]} />
      <Reasons e={e} against={against} />
      <Planned e={e} />
      <RoomAlong e={e} wants={wants} queues={queues} />
      <Atomic e={e.atomic} />
      <Gang e={e.gang} />
      <NodeCounts e={e} />
      {(e.candidates ?? []).length > 0 && <Part title="The next nodes" question="Which nodes come first?"><Scores of={e} /></Part>}
      <Turn e={e} pending={pending} />
    </>
  );
}

/** What an ask may do to others by preemption, and others to it. */
export function switches({ preempts, preemptable, originator }: Pick<AskExplanation, "preempts" | "preemptable" | "originator">): string {
  const parts = [preempts ? "it may preempt others" : "it may not preempt others", preemptable ? "may be preempted" : "asks not to be preempted"];
  return `${parts.join(" and ")}${originator ? "; as an originator it goes last among victims" : ""}`;
}
