import type { AskExplanation, VictimExplanation } from "../engine/types";
import { actions } from "../state/run";
import { status } from "../state/store";
import { Button } from "../ui/button";
import { amounts, duration } from "../ui/format";
import { useAsked } from "./asking";
import { CameHere } from "./came-here";
import { Missing } from "./missing";
import { Facts, Pick, useHeadline, Verbatim } from "./parts";
import { Pending } from "./pending";
import { member } from "./reasons";
import { explainAsk } from "./questions";
import { Victim } from "./victim";
import { switches } from "./waits";

/** An ask: why it waits, where it runs, or the ask for which it had to leave. */
export function AskView({ id }: { readonly id: string }) {
  const heard = useAsked(`ask ${id}`, () => explainAsk(id));
  if (!heard) return null;
  const e = heard.answer;
  if (!e) return <Missing what="ask" id={id} />;
  if (e.pending) return <Pending e={e} />;
  return <>{e.victim ? <Left why={e.victim} /> : <Placed e={e} />}<Verbatim text={e.text} /></>;
}

function Left({ why }: { readonly why: VictimExplanation }) {
  return (
    <>
      <p class="why-tools"><Button small icon="back" onClick={() => void actions.seekTime(why.at ?? 0)}>Go to when it was decided</Button></p>
      <Victim why={why} />
      <CameHere id={why.victim?.id ?? ""} />
    </>
  );
}

/** A placeholder runs nothing: it holds room. */
function standing({ node = "", member }: AskExplanation): string {
  if (!member?.placeholder) return `It runs on node ${node}.`;
  const task = member.group ? `a task of group ${member.group}` : "a task of its gang";
  if (member.for) return `It holds room on node ${node}, and was told to leave for ask ${member.for}.`;
  return member.leaves ? `It holds room on node ${node}, and was told to leave.` : `It holds room on node ${node} for ${task}.`;
}

function Placed({ e }: { readonly e: AskExplanation }) {
  const ask = actions.model().asks.get(e.id);
  const since = e.since ?? 0;
  useHeadline(standing(e));
  return (
    <>
      <Facts facts={[
        ["Node", <Pick kind="node" id={e.node ?? ""} />],
        ["Application", <Pick kind="app" id={e.app ?? ""} />],
        ["Queue", <Pick kind="queue" id={e.queue ?? ""} />],
        ["Resources", ask && amounts(ask.resources)],
        ["Of its gang", e.running?.text],
        ["In its gang", member(e.member)],
        ["Priority", e.priority ?? 0],
        ["Preemption", switches(e)],
        [e.member?.placeholder ? "Holds it" : "Runs", `${duration((status.peek()?.now ?? 0) - since)}, since ${duration(since)}`],
        ["Had waited", ask && duration(since - ask.submitted)],
      ]} />
      <CameHere id={e.id} known={since} />
    </>
  );
}
