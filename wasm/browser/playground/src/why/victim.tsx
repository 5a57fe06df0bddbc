import { useContext } from "preact/hooks";
import type { VictimExplanation } from "../engine/types";
import { Around } from "./around";
import { Branches } from "./branches";
import { Facts, Part, Pick, Picks, useHeadline } from "./parts";
import { inWords, rights } from "./words";

/** Who preempted an allocation, and by what right. It is told as it was when it was decided. */
export function Victim({ why }: { readonly why: VictimExplanation }) {
  const { victim, for: ask = "", forApp = "", forQueue = "", node = "", at = 0, gone, with: others = [] } = why;
  const { time } = useContext(Around);
  const byQuota = victim?.kind === "quota";
  const reason = inWords(rights, victim?.kind, byQuota ? forQueue : ask);
  useHeadline(`${gone ? "It was preempted and has left" : "It has been told to leave"}${byQuota ? "" : ` for ask ${ask}`}, since ${reason}.`);
  return (
    <>
      <Facts facts={[
        ["For", byQuota ? <Pick kind="queue" id={forQueue} /> : <><Pick kind="ask" id={ask} /> of <Pick kind="app" id={forApp} /> in <Pick kind="queue" id={forQueue} /></>],
        ["Application", victim?.app && <Pick kind="app" id={victim.app} />],
        ["Queue", victim?.queue && <Pick kind="queue" id={victim.queue} />],
        [gone ? "Was on" : "Still on", <Pick kind="node" id={node} />],
        ["Decided at", time(at)],
        ["Gang", why.gangText],
        ["Together with", others.length > 0 && <Picks kind="ask" ids={others} />],
        ["Own priority", victim?.priority ?? 0],
        ["Nothing else sufficed", victim?.originator ? "it is an originator, and originators are preempted last" : victim?.optedOut && "it asked not to be preempted"],
      ]} />
      {!byQuota && <Part title="Which law allowed it" question="Which law allowed it?"><Branches why={why} /></Part>}
    </>
  );
}
