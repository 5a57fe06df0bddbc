import type { ComponentChildren } from "preact";
import type { AskExplanation, Lack, MemberExplanation } from "../engine/types";
import { actions } from "../state/run";
import { capital } from "../state/sentence";
import { queues, status } from "../state/store";
import { amountOf, amounts, duration } from "../ui/format";
import { DryRun } from "./dry-run";
import { never, type Never } from "./never";
import { NodeCounts } from "./node-counts";
import { Limits } from "./limits";
import { Facts, Part, Pick, Picks, useHeadline, Verbatim } from "./parts";
import { RoomAlong } from "./room";
import { Turn } from "./turn";
import { helpFor, waitsBecause } from "./words";

/** An ask that waits: what for, what would help, whose turn it is, and whom it would preempt. */
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
        ["Wants", ask && amounts(ask.resources)],
        ["In its gang", member(e.member)],
        ["Waits", `${duration(waited)}, since ${duration(e.since ?? 0)}`],
        [setAside(e), e.node && <Pick kind="node" id={e.node} />],
        ["Still to leave", e.kept && <Leaving ask={e.id} node={e.node} />],
      ]} />
      <Reasons e={e} against={against} />
      <RoomAlong e={e} />
      <NodeCounts e={e} />
      <Turn e={e} />
      <DryRun ask={e.id} verdict={e.verdict} />
      <Verbatim text={e.text} />
    </>
  );
}

/** What an ask is in the gang of its application. */
export function member(e: MemberExplanation | undefined): ComponentChildren {
  if (!e) return undefined;
  const group = e.group ? ` of task group ${e.group}` : "";
  if (e.placeholder) return <>placeholder{group}{e.for ? <>, leaves for <Pick kind="ask" id={e.for} /></> : e.leaves && ", told to leave"}</>;
  return <>task{group}{e.takes && <>, {e.bound ? "takes the place of" : "may take the place of"} <Pick kind="ask" id={e.takes} /></>}{e.gaveUp && ", no placeholder was large enough"}</>;
}

/** The victims of an ask that have yet to leave. */
function Leaving({ ask, node = "" }: { readonly ask: string; readonly node: string | undefined }) {
  const on = actions.model().nodes.get(node)?.allocations.values() ?? [];
  return <Picks kind="ask" ids={[...on].filter((a) => a.leaving === ask).map((a) => a.id)} />;
}

/** How a node is set aside for an ask: other nodes that are counted as not the required one tell that it requires this one. */
function setAside({ kept, nodes = [] }: AskExplanation): string {
  if (kept) return "Kept for it";
  return nodes.some(({ reason }) => reason === "not-the-required-node") ? "Held for it" : "Reserved for it";
}

/** That an ask can never run, in one sentence. */
export function neverHeadline({ because: [first = ""] }: Never, who = "It"): string {
  return `${who} can never run as things are: ${first}.`;
}

/** Each reason with what it comes from and what would help. */
function Reasons({ e, against }: { readonly e: AskExplanation; readonly against: Never | undefined }) {
  return (
    <Part title="What would help">
      <NeverRuns against={against} />
      <ul class="why-reasons">
        {(e.reasons ?? []).filter((code) => !against || code !== "no-node-fits").map((code) => (
          <li key={code}>
            {code === "headroom" && <Lacks lacks={e.lacks ?? []} />}
            {code === "max-applications" && <AtBound queuePaths={e.blocked ?? []} />}
            <Limits limits={(e.limits ?? []).filter((one) => one.reason === code)} />
            {helpFor(code, { lacks: e.lacks, forever: against !== undefined })}
            {code === "no-node-fits" && e.nodes && " The nodes are counted below by what speaks against them."}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Why an ask can never run, each in a sentence, and what would change that. */
export function NeverRuns({ against, who = "It" }: { readonly against: Never | undefined; readonly who?: string }) {
  if (!against) return null;
  return (
    <div class="why-never">
      <p><b>{who} can never run as things are.</b></p>
      <ul class="why-list">{against.because.map((one) => <li key={one}>{capital(one)}.</li>)}</ul>
      <p>{against.help}</p>
    </div>
  );
}

/** What queues are short of, each in a sentence. */
export function Lacks({ lacks }: { readonly lacks: readonly Lack[] }) {
  return lacks.map(({ queue = "", type, missing = 0 }) => (
    <p key={`${queue} ${type}`}><Pick kind="queue" id={queue} /> lacks <b>{amountOf(type, missing)}</b>.</p>
  ));
}

/** The queues that have as many applications running as they may. */
export function AtBound({ queuePaths }: { readonly queuePaths: readonly string[] }) {
  return queuePaths.map((path) => {
    const queue = queues.peek().find((q) => q.path === path);
    return <p key={path}><Pick kind="queue" id={path} /> runs {queue?.running ?? 0} of at most {queue?.maxRunning ?? 0} applications.</p>;
  });
}
