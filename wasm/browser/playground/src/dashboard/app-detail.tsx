import { amounts } from "../ui/format";
import { Gang } from "../why/gang";
import { Limits } from "../why/limits";
import { Facts, Part, Pick, useHeadline, Verbatim } from "../why/parts";
import { AtBound } from "../why/reasons";
import { appStates, helpFor, inWords, waitsBecause } from "../why/words";
import type { AppExplanation } from "../engine/types";
import { part, read, readIfAllowed } from "./host/api";
import { appExplanation } from "./host/explanations";
import { amountsOf, type AppObject, type AskObject, type GangObject, type Page } from "./host/objects";
import { ago, timeOfDay } from "./host/times";
import { Failure, Withheld } from "./failure";
import { useFetched } from "./fetched";
import { MemberBlocks } from "./gang-members";
import { gangStanding } from "./gang-words";
import { Name } from "./name";
import { addressOf, gangName } from "./route";

/** So many of its asks are listed; the view of asks has all. */
const listed = 20;

async function known(id: string, abort: AbortSignal) {
  const path = `v1/apps/${part(id)}`;
  const asks = (state: string) => read<Page<AskObject>>(`v1/asks?app=${part(id)}&state=${state}&limit=${listed}`, abort);
  const [app, e, pending, allocated, gangs] = await Promise.all([
    read<AppObject>(path, abort), readIfAllowed<Record<string, unknown>>(`${path}/explanation`, abort), asks("pending"), asks("allocated"),
    read<Page<GangObject>>(`v1/gangs?app=${part(id)}&limit=${listed}`, abort),
  ]);
  return { app, e: e && appExplanation(e), asks: [...pending.items, ...allocated.items].slice(0, listed), gangs: gangs.items };
}

/** An application: its state, its asks, and what holds them back. */
export function AppDetail({ id }: { readonly id: string }) {
  const { value, failure, reload } = useFetched(`app ${id}`, (abort) => known(id, abort));
  if (!value) return failure === undefined ? null : <Failure of={failure} onRetry={reload} />;
  return <Known {...value} />;
}

interface KnownProps {
  readonly app: AppObject;
  readonly e: AppExplanation | undefined;
  readonly asks: readonly AskObject[];
  readonly gangs: readonly GangObject[];
}

function Known({ app, e, asks, gangs }: KnownProps) {
  const { state, pending, allocations } = app;
  const { reasons = [], blocked = [], limits = [], text } = e ?? {};
  useHeadline(pending > 0 && e ? waitsBecause(reasons, { who: "The first of its asks" }) : `It is ${state}: ${inWords(appStates, state)}.${pending > 0 ? "" : " Nothing is pending."}`);
  return (
    <>
      <Facts facts={[
        ["Queue", <Pick kind="queue" id={app.queue} />],
        ["State", `${state}: ${inWords(appStates, state)}`],
        ["User", app.user],
        ["Group for limits", app.group],
        ["Submitted", `${ago(app.submitted)} ago, at ${timeOfDay(app.submitted)}`],
        ["Uses", amounts(amountsOf(app.used))],
        ["Asks", `${pending} pending, ${allocations} allocated`],
        ["Priority", e?.hasPriority && (e.priority ?? 0)],
      ]} />
      {pending > 0 && reasons.length > 0 && <Part title="What would help" question="What would help?">
        <ul class="why-reasons">
          {reasons.map((code) => (
            <li key={code}>
              {code === "max-applications" && <AtBound queuePaths={blocked} />}
              <Limits limits={limits.filter((one) => one.reason === code)} />
              {helpFor(code)}
            </li>
          ))}
        </ul>
      </Part>}
      <Gang e={e?.gang} />
      {app.atomic_gangs > 0 && <Part title="Its atomic gangs" question="How do its gangs stand?">
        <dl class="why-gangs">
          {gangs.map((one) => (
            <div key={one.gang} class={one.state === "broken" ? "why-gang why-gang-broken" : "why-gang"}>
              <dt><a href={addressOf("gangs", gangName(one.app, one.gang))}>{one.gang}</a> <MemberBlocks gang={one} /></dt>
              <dd>{gangStanding(one)}</dd>
            </div>
          ))}
        </dl>
        {app.atomic_gangs > gangs.length && <p class="why-note"><a href={addressOf("gangs", "", { app: app.app })}>All its gangs</a></p>}
      </Part>}
      {!e && <Withheld />}
      <Part title="Its asks" question="What are its asks?">
        {asks.length === 0 ? <p class="why-note">None.</p> : <AskTable asks={asks} />}
        <p class="why-note"><a href={addressOf("asks", "", { app: app.app, state: "all" })}>All its asks</a></p>
      </Part>
      <Verbatim text={text} />
    </>
  );
}

/** A few asks. Placed: with the node of each. */
export function AskTable({ asks, placed = true }: { readonly asks: readonly AskObject[]; readonly placed?: boolean }) {
  return (
    <table class="why-table">
      <caption class="sr">Asks</caption>
      <thead><tr><th scope="col">Ask</th><th scope="col">Resources</th><th scope="col" class="why-figure">Priority</th>{placed && <th scope="col">Node</th>}</tr></thead>
      <tbody>
        {asks.map((ask) => (
          <tr key={ask.ask}>
            <th scope="row"><Name kind="ask" id={ask.ask} /></th>
            <td>{amounts(amountsOf(ask.resources))}{ask.placeholder && <small> placeholder</small>}</td>
            <td class="why-figure">{ask.priority}</td>
            {placed && <td>{ask.node === undefined ? "waits" : <><Name kind="node" id={ask.node} />{ask.state === "leaving" && ", leaves"}</>}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
