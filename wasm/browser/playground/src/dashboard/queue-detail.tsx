import { typesOf } from "../model/quantities";
import { amount, amounts, count, fairShare, whole } from "../ui/format";
import { Bar } from "../why/bar";
import { OverMax } from "../why/over-max";
import { Facts, Part, useHeadline, Verbatim } from "../why/parts";
import { leafName, lineage } from "../why/paths";
import { deciding, others } from "../why/properties";
import { AtBound, Lacks } from "../why/reasons";
import { TypeTable } from "../why/type-table";
import { helpFor, waitsBecause } from "../why/words";
import type { Amounts, QueueDump, QueueExplanation } from "../engine/types";
import { AskTable } from "./app-detail";
import { part, read } from "./host/api";
import { queueExplanation } from "./host/explanations";
import type { AskObject, Page } from "./host/objects";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { Name } from "./name";
import { knownQueue, queueList } from "./queues";
import { addressOf } from "./route";

const listed = 20;

/** A queue: its use, what decides in it, and why it takes no more. */
export function QueueDetail({ path }: { readonly path: string }) {
  const { value, failure, reload } = useFetched(`queue ${path}`, async (abort) => {
    const e = queueExplanation(await read(`v1/queues/${part(path)}/explanation`, abort));
    const waiting = e.queueState?.leaf && e.queueState.pendingAsks ? await read<Page<AskObject>>(`v1/asks?queue=${part(path)}&state=pending&limit=${listed}`, abort) : undefined;
    return { e, waiting: waiting?.items ?? [] };
  });
  if (!value) return failure === undefined ? null : <Failure of={failure} onRetry={reload} />;
  const { e, waiting } = value;
  return e.queueState ? <Known e={e} queue={e.queueState} waiting={waiting} /> : null;
}

function Known({ e, queue, waiting }: { readonly e: QueueExplanation; readonly queue: QueueDump; readonly waiting: readonly AskObject[] }) {
  const reasons = e.reasons ?? [];
  const over = e.quota ? `It uses ${amounts(e.quota.excess)} more than its max.` : "";
  useHeadline([over, waitsBecause(reasons, { who: "The first of what it has pending", lacks: e.lacks })].filter(Boolean).join(" "));
  return (
    <>
      <Facts facts={[
        ["State", queue.state === "active" ? "active" : `${queue.state ?? ""}: it takes no new applications`],
        ["Kind", `${queue.dynamic ? "dynamic " : ""}${queue.leaf ? "leaf: applications are submitted to it" : "parent: holds queues"}`],
        ["Template", e.template && <>the child template of <Name kind="queue" id={e.template} /></>],
        ["Asks", `${whole(queue.pendingAsks ?? 0)} pending, ${whole(queue.allocations ?? 0)} allocated`],
        ["Applications", `${queue.running ?? 0} of ${queue.applications ?? 0} running${queue.maxRunning ? `, at most ${queue.maxRunning}` : ""}`],
        ["Shows priority", queue.hasPriority && (queue.priority ?? 0)],
        ["Fair share", fairShare(queue.fairShare)],
      ]} />
      <OverMax e={e.quota} />
      <Usage queue={queue} />
      {queue.pendingAsks ? <Held e={e} queue={queue} /> : null}
      {waiting.length > 0 && <Part title="What waits in it">
        <AskTable asks={waiting} placed={false} />
        <p class="why-note"><a href={addressOf("asks", "", { queue: queue.path, state: "pending" })}>All {count(queue.pendingAsks ?? 0, "ask")} that wait</a></p>
      </Part>}
      <Part title="What decides in it">
        <Facts facts={deciding(queue)} />
        <Others properties={queue.properties ?? {}} />
      </Part>
      <Below path={queue.path} />
      {queue.leaf && <p class="why-note"><a href={addressOf("applications", "", { queue: queue.path })}>Its applications</a></p>}
      <Verbatim text={e.text} />
    </>
  );
}

function Usage({ queue: { path, used, guaranteed, max, headroom, pending } }: { readonly queue: QueueDump }) {
  const cluster = knownQueue(lineage(path)[0] ?? "")?.max ?? {};
  const of = (set: Amounts | undefined) => (type: string) => amount(type, set?.[type] ?? 0);
  const orNone = (set: Amounts | undefined) => (type: string) => (set?.[type] === undefined ? "–" : amount(type, set[type]));
  return (
    <TypeTable
      caption="Use by type" types={typesOf(cluster, used, guaranteed, max, pending)}
      drawing={(type) => <Bar pieces={[{ kind: "used", amount: used?.[type] ?? 0 }]} mark={guaranteed?.[type]} whole={max?.[type] ?? cluster[type] ?? 0} />}
      rows={[["Used", of(used)], ["Guaranteed", orNone(guaranteed)], ["Max", orNone(max)], ["Headroom", of(headroom)], ["Pending", of(pending)]]}
    />
  );
}

/** Why nothing more is placed in it now. */
function Held({ e, queue }: { readonly e: QueueExplanation; readonly queue: QueueDump }) {
  return (
    <Part title="Why it takes no more now">
      <ul class="why-reasons">
        {(e.reasons ?? []).map((code) => (
          <li key={code}>
            {code === "headroom" && <Lacks lacks={e.lacks ?? []} />}
            {code === "max-applications" && queue.maxRunning === queue.running && <AtBound queuePaths={[queue.path]} />}
            {helpFor(code, { lacks: e.lacks })}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Others({ properties }: { readonly properties: Readonly<Record<string, string>> }) {
  const rest = others(properties);
  return rest.length > 0 ? <p class="why-note">Also set: {rest.map(([key, value]) => `${key}: ${value}`).join("; ")}.</p> : null;
}

function Below({ path }: { readonly path: string }) {
  const children = queueList().filter((q) => q.path.startsWith(`${path}.`) && !q.path.slice(path.length + 1).includes("."));
  if (children.length === 0) return null;
  return (
    <Part title="Queues below">
      <ul class="why-list">
        {children.map((q) => <li key={q.path}><Name kind="queue" id={q.path} label={leafName(q.path)} />: {count(q.pendingAsks ?? 0, "ask")} pending, {q.allocations ?? 0} allocated</li>)}
      </ul>
    </Part>
  );
}
