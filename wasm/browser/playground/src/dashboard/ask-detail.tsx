import { useCallback, useState } from "preact/hooks";
import { Button } from "../ui/button";
import { amounts } from "../ui/format";
import { Choice } from "../why/choice";
import { Facts, Part, Pick, useHeadline, Verbatim } from "../why/parts";
import { member } from "../why/reasons";
import { Refusal } from "../why/refusal";
import { Stretches } from "../why/stretches";
import { Victim } from "../why/victim";
import { switches, Waits } from "../why/waits";
import { WhyHere } from "../why/why-here";
import { causesOf, inWords, verdicts } from "../why/words";
import type { AskExplanation, PreemptionExplanation } from "../engine/types";
import { part, Problem, read, readIfAllowed } from "./host/api";
import { askExplanation, hostPlacement, preemptionExplanation, type HostPlacement } from "./host/explanations";
import { amountsOf, type AskObject } from "./host/objects";
import { ago, hostNow, timeOfDay } from "./host/times";
import { Failure, Withheld } from "./failure";
import { useFetched } from "./fetched";
import { Forecast } from "./forecast";
import { queueList } from "./queue-tree";
import { addressOf, gangName } from "./route";

interface Known {
  readonly e: AskExplanation;
  /** Undefined: it is gone. */
  readonly ask: AskObject | undefined;
  readonly placement?: HostPlacement | undefined;
}

async function known(id: string, abort: AbortSignal) {
  const path = `v1/asks/${part(id)}`;
  const [e, ask] = await Promise.all([
    readIfAllowed<Record<string, unknown>>(`${path}/explanation`, abort),
    read<AskObject>(path, abort).catch((thrown: unknown) => {
      if (thrown instanceof Problem && thrown.status === 404) return undefined;
      throw thrown;
    }),
  ]);
  return { e: e && askExplanation(e), ask, placement: e && hostPlacement(e) };
}

/** An ask: why it waits, where it runs, or for which other it had to leave. */
export function AskDetail({ id }: { readonly id: string }) {
  const { value, failure, reload } = useFetched(`ask ${id}`, (abort) => known(id, abort));
  if (!value) return failure === undefined ? null : <Failure of={failure} onRetry={reload} />;
  const { e, ask, placement } = value;
  if (!e) return ask ? <Unexplained ask={ask} /> : null;
  if (e.pending) return <Pending e={e} ask={ask} />;
  return <>{e.victim ? <Victim why={e.victim} /> : <Placed e={e} ask={ask} placement={placement} />}<Verbatim text={e.text} /></>;
}

/** An ask as the lists have it. */
function Unexplained({ ask }: { readonly ask: AskObject }) {
  return (
    <>
      <Facts facts={[
        ["State", ask.state],
        ["Application", <Pick kind="app" id={ask.app} />],
        ["Queue", <Pick kind="queue" id={ask.queue} />],
        ["Node", ask.node && <Pick kind="node" id={ask.node} />],
        ["Gang", ask.gang !== undefined && <GangLink ask={ask} />],
        ["Resources", amounts(amountsOf(ask.resources))],
        ["Priority", ask.priority],
        ["Since", timeOfDay(ask.allocated ?? ask.submitted)],
      ]} />
      <Withheld />
    </>
  );
}

/** The gang of an ask, as a link to it. */
function GangLink({ ask: { app, gang } }: { readonly ask: AskObject }) {
  return gang === undefined ? null : <a href={addressOf("gangs", gangName(app, gang))}>{gang}</a>;
}

function Pending({ e, ask }: Known) {
  return (
    <>
      <Waits
        e={e} wants={ask && amountsOf(ask.resources)} waited={ask && `${ago(ask.submitted)}, since ${timeOfDay(ask.submitted)}`}
        queues={queueList()} pending={Math.max(e.place ?? 0, queueList()[0]?.pendingAsks ?? 0)}
      />
      {ask?.gang !== undefined && <p class="why-note">Its gang: <GangLink ask={ask} /></p>}
      <Forecast ask={e.id} planned={ask?.planned_start} />
      <DryRun ask={e.id} verdict={e.verdict} />
      <Verbatim text={e.text} />
    </>
  );
}

function Placed({ e, ask, placement }: Known) {
  useHeadline(e.member?.placeholder ? `It holds room on node ${e.node ?? ""}.` : `It runs on node ${e.node ?? ""}.`);
  return (
    <>
      <Facts facts={[
        ["Node", <Pick kind="node" id={e.node ?? ""} />],
        ["Application", <Pick kind="app" id={e.app ?? ""} />],
        ["Queue", <Pick kind="queue" id={e.queue ?? ""} />],
        ["Resources", ask && amounts(amountsOf(ask.resources))],
        ["Gang", ask?.gang !== undefined && <GangLink ask={ask} />],
        ["Of its gang", e.running?.text],
        ["In its gang", member(e.member)],
        ["Priority", e.priority ?? 0],
        ["Preemption", switches(e)],
        ["Promises to end", ask?.ends && timeOfDay(ask.ends)],
        ["Runs", ask?.allocated && `${ago(ask.allocated)}, since ${timeOfDay(ask.allocated)}`],
        ["Had waited", ask?.allocated && ago(ask.submitted, Date.parse(ask.allocated))],
      ]} />
      {placement && <WhyHere before={placement.before} node={placement.node} />}
      {placement && <Wait of={placement} />}
    </>
  );
}

/** What an ask waited for before it was placed, as far as the record of the host tells. */
function Wait({ of: { submitted, allocated, waits } }: { readonly of: HostPlacement }) {
  if (waits.length === 0) return null;
  const of = waits.map(({ from, reasons }, i) => ({ from, to: waits[i + 1]?.from ?? allocated, cause: causesOf(reasons) }));
  return <Part title="How long it waited" question="What did it wait for?"><Stretches of={of} whole={allocated - submitted} /></Part>;
}

/** Which allocations an ask would preempt, asked for by hand: it costs the host a search. */
function DryRun({ ask, verdict }: { readonly ask: string; readonly verdict: string | undefined }) {
  const [trial, setTrial] = useState<{ readonly e?: PreemptionExplanation; readonly failure?: unknown; readonly now: number }>();
  const run = async () => {
    const now = hostNow() * 1e6;
    try {
      setTrial({ e: preemptionExplanation(await read(`v1/asks/${part(ask)}/victims`)), now });
    } catch (failure) {
      setTrial({ failure, now });
    }
  };
  const takes = trial?.e?.verdict === "preempts" || trial?.e?.verdict === "waits-for-victims";
  const put = useCallback(() => void run(), [ask]);
  return (
    <Part title="Which allocations it would preempt" question="Which allocations would it preempt?" onQuestion={put}>
      {!trial && <p class="why-note">{verdict}</p>}
      <p class="why-tools"><Button small onClick={() => void run()}>{trial ? "Ask again" : "Try it"}</Button></p>
      {trial?.failure !== undefined && <Failure of={trial.failure} />}
      {trial?.e && (
        <div class="why-trial">
          <p class="why-passed">State at {timeOfDay(trial.now / 1e6)}.</p>
          <p class="why-verdict">{inWords(verdicts, trial.e.verdict)}</p>
          {takes ? <Choice e={trial.e} now={trial.now} /> : <Refusal e={trial.e} />}
        </div>
      )}
    </Part>
  );
}
