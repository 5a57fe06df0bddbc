/** What is told of a queue in the playground and in the dashboard of a live scheduler alike. */

import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Amounts, QueueDump, QueueExplanation, Setting } from "../engine/types";
import { typesOf } from "../model/quantities";
import { amount, amounts, count, fairShare, whole } from "../ui/format";
import { Around } from "./around";
import { Bar } from "./bar";
import { OverMax } from "./over-max";
import { Facts, Part, Pick, useHeadline } from "./parts";
import { leafName, lineage } from "./paths";
import { deciding, fenced, sources } from "./properties";
import { AtBound, Lacks } from "./reasons";
import { TypeTable } from "./type-table";
import { helpFor, waitsBecause } from "./words";

/** What an answer says of a queue; the queue by the path that is shown. */
export interface QueueAnswer {
  readonly e: QueueExplanation;
  readonly queue: QueueDump;
}

/** In one sentence: what is wrong with it. */
export function useQueueHeadline({ quota, reasons, lacks }: QueueExplanation) {
  const over = quota ? `It uses ${amounts(quota.excess)} more than its max.` : "";
  useHeadline([over, waitsBecause(reasons ?? [], { who: "Its first pending ask", lacks })].filter(Boolean).join(" "));
}

interface StandingProps extends QueueAnswer {
  /** Facts that are told of it here alone, behind its state. */
  readonly kind: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** How it stands, and why it takes no more. */
export function Standing({ e, queue, kind }: StandingProps) {
  const { state = "", pendingAsks = 0, allocations = 0, applications = 0, running = 0, maxRunning } = queue;
  return (
    <>
      <Facts facts={[
        ["State", state === "active" ? "active" : `${state}: it accepts no new applications`],
        ...kind,
        ["Asks", `${whole(pendingAsks)} pending, ${whole(allocations)} allocated`],
        ["Applications", `${running} of ${applications} running${maxRunning ? `, at most ${maxRunning}` : ""}`],
        ["Shows priority", queue.hasPriority && (queue.priority ?? 0)],
        ["Fair share", fairShare(queue.fairShare)],
      ]} />
      <OverMax e={e.quota} />
      <QueueUsage queue={queue} />
      {pendingAsks > 0 && <Held e={e} queue={queue} />}
    </>
  );
}

function QueueUsage({ queue: { path, used, guaranteed, max, headroom, pending } }: { readonly queue: QueueDump }) {
  const cluster = useContext(Around).queue(lineage(path)[0] ?? "")?.max ?? {};
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
function Held({ e, queue }: QueueAnswer) {
  return (
    <Part title="Why it gets no more now" question="Why does it get no more?">
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

/** The settings in force in it, what they mean, and which queue sets each. */
export function Decides({ e: { settings = [], fence = "" }, queue }: QueueAnswer) {
  const inside = fenced(queue, fence);
  return (
    <Part title="Orders and preemption" question="Which rules apply in it?">
      <Facts facts={[
        ...deciding(settings).map(({ name, value, by }) => [name, <>{value} <From by={by} of={queue.path} /></>] as const),
        ["Preemption fence", inside && <>{inside}{fence !== queue.path && <> <Pick kind="queue" id={fence} /></>}</>],
      ]} />
    </Part>
  );
}

/** Where a setting comes from. */
function From({ by, of }: { readonly by: readonly Setting[]; readonly of: string }) {
  const from = sources(by);
  if (from.length === 0) return <small class="why-from">default</small>;
  return (
    <small class="why-from">
      {from.map(({ from: path = "", template }, i) => [i > 0 && ", ", template ? <>child template of <Pick kind="queue" id={path} /></> : path === of ? "set here" : <>from <Pick kind="queue" id={path} /></>])}
    </small>
  );
}

/** Its children, out of all queues. */
export function Below({ path, queues }: { readonly path: string; readonly queues: readonly QueueDump[] }) {
  const children = queues.filter((q) => q.path.startsWith(`${path}.`) && !q.path.slice(path.length + 1).includes("."));
  if (children.length === 0) return null;
  return (
    <Part title="Queues below" question="What is below it?">
      <ul class="why-list">
        {children.map((q) => <li key={q.path}><Pick kind="queue" id={q.path} label={leafName(q.path)} />: {count(q.pendingAsks ?? 0, "ask")} pending, {q.allocations ?? 0} allocated</li>)}
      </ul>
    </Part>
  );
}
