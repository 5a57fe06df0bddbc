import type { AppExplanation, AskExplanation } from "../engine/types";
import type { AskModel } from "../model/model";
import { actions } from "../state/run";
import { status } from "../state/store";
import { amounts, count, duration } from "../ui/format";
import { useAsked } from "./asking";
import { Gang } from "./gang";
import { Gangs } from "./gangs";
import { Limits } from "./limits";
import { Missing } from "./missing";
import { Facts, Part, Pick, useHeadline, Verbatim } from "./parts";
import { never } from "./never";
import { AtBound, neverHeadline, NeverRuns } from "./reasons";
import { Placement } from "./placement";
import { placeAmong } from "./places";
import { explainApp, explainAsk } from "./questions";
import { appStates, helpFor, inWords, isRoom, waitsBecause } from "./words";

/** An application: its state, its asks, and what holds them back. */
export function AppView({ id }: { readonly id: string }) {
  const heard = useAsked(`app ${id}`, async () => {
    const e = await explainApp(id);
    return { e, first: e?.waits?.[0] === undefined ? undefined : await explainAsk(e.waits[0]), place: await placeAmong(id) };
  });
  if (!heard) return null;
  const { e, first, place } = heard.answer;
  return e ? <Known e={e} first={first} place={place} /> : <Ended id={id} />;
}

/** What is left of an application that the scheduler has nothing to explain of any more. */
function Ended({ id }: { readonly id: string }) {
  const app = actions.model().apps.get(id);
  if (!app) return <Missing what="application" id={id} />;
  return <EndedAs state={app.state} queue={app.queue} />;
}

function EndedAs({ state, queue }: { readonly state: string; readonly queue: string }) {
  useHeadline(`It is ${state}: ${inWords(appStates, state)}.`);
  return <Facts facts={[["Queue", <Pick kind="queue" id={queue} />]]} />;
}

interface KnownProps {
  readonly e: AppExplanation;
  /** Of the first of its asks that wait. */
  readonly first: AskExplanation | undefined;
  readonly place: string;
}

function Known({ e, first, place }: KnownProps) {
  const { state = "", queue = "", since = 0, pending = 0, allocations = 0, reasons = [], blocked = [] } = e;
  const who = "The first of its asks";
  const against = first && never(first);
  useHeadline(pending > 0 ? against ? neverHeadline(against, who) : waitsBecause(reasons, { who }) : `It is ${state}: ${inWords(appStates, state)}. Nothing is pending.`);
  return (
    <>
      <Facts facts={[
        ["Queue", <Pick kind="queue" id={queue} />],
        ["State", `${state}: ${inWords(appStates, state)}`],
        ["In this state", `${duration((status.peek()?.now ?? 0) - since)}, since ${duration(since)}`],
        ["Asks", `${pending} pending, ${allocations} allocated`],
        ["Priority", e.hasPriority && (e.priority ?? 0)],
        ["Group for limits", e.group],
        ["Its turn", place],
      ]} />
      {pending > 0 && <Part title="What would help" question="What would help?">
        <NeverRuns against={against} who={who} />
        <ul class="why-reasons">
          {reasons.filter((code) => !against || !isRoom(code)).map((code) => (
            <li key={code}>
              {code === "max-applications" && <AtBound queuePaths={blocked} />}
              <Limits limits={(e.limits ?? first?.limits ?? []).filter((one) => one.reason === code)} />
              {helpFor(code, { forever: against !== undefined })}
            </li>
          ))}
        </ul>
      </Part>}
      <Gang e={e.gang} />
      <Gangs app={e.id} />
      <Placement e={e.placement} />
      <Part title="Its asks" question="What are its asks?"><Asks e={e} /></Part>
      <Verbatim text={e.text} />
    </>
  );
}

/** How many of an application's asks are listed. */
const listedAsks = 100;

function Asks({ e }: { readonly e: AppExplanation }) {
  const asks = actions.model().apps.get(e.id)?.asks;
  if (!asks || asks.size === 0) return <p class="why-note">None.</p>;
  const list = inOrder(asks, e.waits ?? []);
  return (
    <>
      <table class="why-table">
        <caption class="sr">Asks: pending ones in their order, then those allocated</caption>
        <thead><tr><th scope="col">Ask</th><th scope="col">Resources</th><th scope="col" class="why-figure">Priority</th><th scope="col">Node</th></tr></thead>
        <tbody>
          {list.slice(0, listedAsks).map((ask) => (
            <tr key={ask.id}>
              <th scope="row"><Pick kind="ask" id={ask.id} /></th>
              <td>{amounts(ask.resources)}{ask.placeholder && <small> placeholder</small>}</td>
              <td class="why-figure">{ask.priority}</td>
              <td>{ask.node === undefined ? "waits" : <><Pick kind="node" id={ask.node} />{ask.leaves && ", leaves"}</>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {list.length > listedAsks && <p class="why-note">And {count(list.length - listedAsks, "ask")} more.</p>}
    </>
  );
}

/** Asks as far as the scheduler tells their order, then others that wait, then those that run. */
function inOrder(asks: ReadonlyMap<string, AskModel>, first: readonly string[]): AskModel[] {
  const ahead = first.flatMap((id) => asks.get(id) ?? []);
  const named = new Set(first);
  const rest = [...asks.values()].filter((ask) => !named.has(ask.id));
  return [...ahead, ...rest.filter((ask) => ask.node === undefined), ...rest.filter((ask) => ask.node !== undefined)];
}
