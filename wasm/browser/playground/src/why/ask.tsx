import type { AskExplanation, VictimExplanation } from "../engine/types";
import { actions } from "../state/run";
import { status } from "../state/store";
import { Button } from "../ui/button";
import { amounts, duration } from "../ui/format";
import { useAsked } from "./asking";
import { Facts, Missing, Pick, useHeadline, Verbatim } from "./parts";
import { member, Pending } from "./pending";
import { explainAsk } from "./questions";
import { Victim } from "./victim";

/** An ask: why it waits, where it runs, or for whom it had to leave. */
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
    </>
  );
}

function Placed({ e }: { readonly e: AskExplanation }) {
  const ask = actions.model().asks.get(e.id);
  const since = e.since ?? 0;
  useHeadline(`It runs on node ${e.node ?? ""}.`);
  return (
    <Facts facts={[
      ["Node", <Pick kind="node" id={e.node ?? ""} />],
      ["Application", <Pick kind="app" id={e.app ?? ""} />],
      ["Queue", <Pick kind="queue" id={e.queue ?? ""} />],
      ["Has", ask && amounts(ask.resources)],
      ["In its gang", member(e.member)],
      ["Priority", e.priority ?? 0],
      ["Runs", `${duration((status.peek()?.now ?? 0) - since)}, since ${duration(since)}`],
      ["Had waited", ask && duration(since - ask.submitted)],
    ]} />
  );
}
