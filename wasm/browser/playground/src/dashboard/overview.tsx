import type { ComponentChildren } from "preact";
import { parentPath } from "../model/paths";
import { typesOf } from "../model/quantities";
import { kindIcons } from "../see/kind-icons";
import { kindOf, words } from "../see/words";
import { amount, count, share, whole } from "../ui/format";
import { Icon } from "../ui/icons";
import { Meter } from "../ui/meter";
import { Empty, Panel } from "../ui/panel";
import { Facts } from "../why/parts";
import { waitsBecause } from "../why/words";
import type { Decision, QueueDump, QueueExplanation } from "../engine/types";
import { part, read } from "./host/api";
import { queueExplanation } from "./host/explanations";
import { timeOfDay } from "./host/times";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { rates, recent } from "./live";
import { Name } from "./name";
import { useQueues } from "./queues";
import { addressOf } from "./route";

/** So many of the queues with most asks that wait are listed. */
const mostWaiting = 8;
/** So many of them are asked why: each is a question to the scheduler. */
const mostAsked = 4;
const lastDecisions = 12;

export function Overview() {
  const { value, failure, reload } = useQueues();
  const queues = value?.queues ?? [];
  const roots = queues.filter(({ path }) => parentPath(path) === "");
  return (
    <div class="overview">
      <Panel title="Cluster">
        {failure !== undefined && <Failure of={failure} onRetry={reload} />}
        {roots.map((root) => <Use key={root.path} root={root} of={roots.length > 1 ? root.path : ""} />)}
        {value && <Counts roots={roots} queues={queues.length} more={value.more} />}
      </Panel>
      <Waiting queues={queues} known={value !== undefined} />
      <Faults />
      <Last />
    </div>
  );
}

/** What is used of all that nodes have. */
function Use({ root: { used, max, pending }, of }: { readonly root: QueueDump; readonly of: string }) {
  const types = typesOf(max, used, pending);
  if (types.length === 0) return <p class="why-note">{of} The cluster has no nodes yet.</p>;
  return (
    <div class="gauges">
      {of !== "" && <h3>{of}</h3>}
      {types.map((type) => {
        const [is, all, waits] = [used?.[type] ?? 0, max?.[type] ?? 0, pending?.[type] ?? 0];
        return (
          <div key={type} class="gauge">
            <p><b>{type}</b> <span>{share(all > 0 ? is / all : 0)}</span></p>
            <Meter label={`${type}: ${amount(type, is)} of ${amount(type, all)} in use`} used={is} full={all} max={all} />
            <small>{amount(type, is)} of {amount(type, all)}{waits > 0 && `, ${amount(type, waits)} pending`}</small>
          </div>
        );
      })}
    </div>
  );
}

function Counts({ roots, queues, more }: { readonly roots: readonly QueueDump[]; readonly queues: number; readonly more: boolean }) {
  const sum = (of: (queue: QueueDump) => number | undefined) => roots.reduce((all, root) => all + (of(root) ?? 0), 0);
  const { all, of } = rates.value;
  const rate = (n: number) => `${n >= 10 ? whole(Math.round(n)) : n.toFixed(1)} a second`;
  return (
    <Facts facts={[
      ["Asks", <><a href={addressOf("asks")}>{whole(sum((q) => q.pendingAsks))} pending</a>, <a href={addressOf("asks", "", { state: "allocated" })}>{whole(sum((q) => q.allocations))} allocated</a></>],
      ["Applications", <a href={addressOf("applications")}>{whole(sum((q) => q.running))} of {whole(sum((q) => q.applications))} running</a>],
      ["Queues", <a href={addressOf("queues")}>{whole(queues)}{more && " and more"}</a>],
      ["Decisions", rate(all)],
      ["Placed", rate(of("placed"))],
      ["Ended", rate(of("ended"))],
      ["Preemption", rate(of("preempted"))],
    ]} />
  );
}

function Waiting({ queues, known }: { readonly queues: readonly QueueDump[]; readonly known: boolean }) {
  const waiting = queues.filter(({ leaf, pendingAsks = 0 }) => leaf && pendingAsks > 0).sort((a, b) => (b.pendingAsks ?? 0) - (a.pendingAsks ?? 0)).slice(0, mostWaiting);
  const asked = waiting.slice(0, mostAsked).map(({ path }) => path);
  const { value: reasons } = useFetched(`waiting ${asked.join(" ")}`, async (abort) => new Map(await Promise.all(asked.map(async (path) =>
    [path, queueExplanation(await read(`v1/queues/${part(path)}/explanation`, abort))] as const))));
  return (
    <Panel title="Who waits" class="waiting">
      {waiting.length === 0 ? <Empty>{known ? "Nothing waits." : "Loading…"}</Empty> : (
        <ul class="rows">
          {waiting.map(({ path, pendingAsks = 0 }) => (
            <li key={path}>
              <p><Name kind="queue" id={path} /> <a class="pill" href={addressOf("asks", "", { queue: path, state: "pending" })}>{count(pendingAsks, "ask")}</a></p>
              <Because e={reasons?.get(path)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Because({ e }: { readonly e: QueueExplanation | undefined }) {
  const text = e && waitsBecause(e.reasons ?? [], { who: "The first", lacks: e.lacks });
  return text ? <small>{text}</small> : null;
}

/** Policies that failed, and what was refused, as far as the page has heard of it. */
function Faults() {
  const bad = recent.value.filter((d) => kindOf(d) === "refused");
  return (
    <Panel title="Faults and refusals" tools={bad.length > 0 && <small>{count(bad.length, "decision")} of the last {whole(recent.value.length)}</small>}>
      {bad.length === 0 ? <Empty><span><Icon name="good" /> None of the last {count(recent.value.length, "decision")}.</span></Empty> : <Told of={bad.slice(-lastDecisions)} />}
    </Panel>
  );
}

function Last() {
  const last = recent.value.slice(-lastDecisions);
  return (
    <Panel title="Last decisions" tools={<a href={addressOf("decisions")}>All</a>}>
      {last.length === 0 ? <Empty>Nothing was decided yet.</Empty> : <Told of={last} />}
    </Panel>
  );
}

/** Decisions, the newest first. */
function Told({ of }: { readonly of: readonly Decision[] }): ComponentChildren {
  return (
    <ol class="rows told">
      {[...of].reverse().map((d) => (
        <li key={d.seq}>
          <time dateTime={d.at}>{timeOfDay(d.at)}</time>
          <span class={`stream-kind stream-${kindOf(d)}`}><Icon name={kindIcons[kindOf(d)]} /></span>
          <a href={addressOf("decisions", String(d.seq))}>{words(d)}</a>
        </li>
      ))}
    </ol>
  );
}
