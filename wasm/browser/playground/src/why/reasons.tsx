/** Why an ask waits, and what would help. */

import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { AskExplanation, HeadroomShortfall, MemberExplanation } from "../engine/types";
import { capital } from "../state/sentence";
import { amountOf } from "../ui/format";
import { Around } from "./around";
import type { Never } from "./never";
import { Limits } from "./limits";
import { Part, Pick } from "./parts";
import { helpFor } from "./words";

/** What an ask is in the gang of its application. */
export function member(e: MemberExplanation | undefined): ComponentChildren {
  if (!e) return undefined;
  const group = e.group ? ` of task group ${e.group}` : "";
  if (e.placeholder) return <>placeholder{group}{e.for ? <>, leaves for <Pick kind="ask" id={e.for} /></> : e.leaves && ", told to leave"}</>;
  return <>task{group}{e.takes && <>, {e.bound ? "takes the place of" : "may take the place of"} <Pick kind="ask" id={e.takes} /></>}{e.gaveUp && ", no placeholder was large enough"}</>;
}

/** How a node is set aside for an ask: other nodes that are counted as not the required one tell that it requires this one. */
export function setAside({ kept, nodes = [] }: AskExplanation): string {
  if (kept) return "Kept for it";
  return nodes.some(({ reason }) => reason === "not-the-required-node") ? "Held for it" : "Reserved for it";
}

/** That an ask can never run, in one sentence. */
export function neverHeadline({ because: [first = ""] }: Never, who = "It"): string {
  return `${who} can never run as things are: ${first}.`;
}

/** Each reason with what it comes from and what would help. */
export function Reasons({ e, against }: { readonly e: AskExplanation; readonly against: Never | undefined }) {
  return (
    <Part title="What would help" question="What would help?">
      <NeverRuns against={against} />
      <ul class="why-reasons">
        {(e.reasons ?? []).filter((code) => !against || code !== "no-node-fits").map((code) => (
          <li key={code}>
            {code === "headroom" && <Lacks lacks={e.lacks ?? []} />}
            {code === "max-applications" && <AtBound queuePaths={e.blocked ?? []} />}
            <Limits limits={(e.limits ?? []).filter((one) => one.reason === code)} />
            {helpFor(code, { lacks: e.lacks, forever: against !== undefined })}
            {code === "no-node-fits" && e.nodes && " The nodes are counted below by cause."}
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
export function Lacks({ lacks }: { readonly lacks: readonly HeadroomShortfall[] }) {
  return lacks.map(({ queue = "", type, missing = 0 }) => (
    <p key={`${queue} ${type}`}><Pick kind="queue" id={queue} /> lacks <b>{amountOf(type, missing)}</b>.</p>
  ));
}

/** The queues that have as many applications running as they may. */
export function AtBound({ queuePaths }: { readonly queuePaths: readonly string[] }) {
  const { queue: find } = useContext(Around);
  return queuePaths.map((path) => {
    const queue = find(path);
    return <p key={path}><Pick kind="queue" id={path} /> runs {queue?.running ?? 0} of at most {queue?.maxRunning ?? 0} applications.</p>;
  });
}
