import type { Amounts, QueueDump, QueueExplanation } from "../engine/types";
import { typesOf } from "../model/quantities";
import { actions } from "../state/run";
import { queues } from "../state/store";
import { amount, count, fairShare, whole } from "../ui/format";
import { AppList } from "./app-list";
import { useAsked } from "./asking";
import { Bar } from "./bar";
import { Facts, Missing, Part, Pick, useHeadline, Verbatim } from "./parts";
import { leafName } from "./paths";
import { AtBound, Lacks } from "./pending";
import { explainQueue } from "./questions";
import { deciding, others } from "./properties";
import { TypeTable } from "./type-table";
import { helpFor, waitsBecause } from "./words";

/** A queue: its use, what decides in it, and why it takes no more. */
export function QueueView({ path }: { readonly path: string }) {
  const heard = useAsked(`queue ${path}`, () => explainQueue(path));
  if (!heard) return null;
  const e = heard.answer;
  return e?.queueState ? <Known e={e} queue={e.queueState} /> : <Missing what="queue" id={path} />;
}

function Known({ e, queue }: { readonly e: QueueExplanation; readonly queue: QueueDump }) {
  const reasons = e.reasons ?? [];
  useHeadline(waitsBecause(reasons, { who: "The first of what it has pending", lacks: e.lacks }));
  return (
    <>
      <Facts facts={[
        ["State", queue.state === "active" ? "active" : `${queue.state ?? ""}: it takes no new applications`],
        ["Kind", queue.leaf ? "leaf: applications are submitted to it" : "parent: holds queues"],
        ["Asks", `${whole(queue.pendingAsks ?? 0)} pending, ${whole(queue.allocations ?? 0)} allocated`],
        ["Applications", running(queue)],
        ["Shows priority", queue.hasPriority && (queue.priority ?? 0)],
        ["Fair share", fairShare(queue.fairShare)],
      ]} />
      <Usage queue={queue} />
      {queue.pendingAsks ? <Held e={e} queue={queue} /> : null}
      <Decides queue={queue} />
      <Below path={queue.path} />
      {queue.leaf && <Part title="Its applications"><AppList apps={[...actions.model().apps.values()].filter((a) => a.queue === queue.path)} /></Part>}
      <Verbatim text={e.text} />
    </>
  );
}

function running({ applications = 0, running = 0, maxRunning }: QueueDump): string {
  return `${running} of ${applications} running${maxRunning ? `, at most ${maxRunning}` : ""}`;
}

function Usage({ queue: { used, guaranteed, max, headroom, pending } }: { readonly queue: QueueDump }) {
  const cluster = queues.peek()[0]?.max ?? {};
  const of = (set: Amounts | undefined) => (type: string) => amount(type, set?.[type] ?? 0);
  return (
    <TypeTable
      caption="Use by type" types={typesOf(cluster, used, guaranteed, max, pending)}
      drawing={(type) => <Bar pieces={[{ kind: "used", amount: used?.[type] ?? 0 }]} mark={guaranteed?.[type]} whole={max?.[type] ?? cluster[type] ?? 0} />}
      rows={[
        ["Used", of(used)],
        ["Guaranteed", (type) => orNone(type, guaranteed?.[type])],
        ["Max", (type) => orNone(type, max?.[type])],
        ["Headroom", of(headroom)],
        ["Pending", of(pending)],
      ]}
    />
  );
}

function orNone(type: string, stored: number | undefined): string {
  return stored === undefined ? "–" : amount(type, stored);
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

function Decides({ queue }: { readonly queue: QueueDump }) {
  const rest = others(queue.properties ?? {});
  return (
    <Part title="What decides in it">
      <Facts facts={deciding(queue)} />
      {rest.length > 0 && <p class="why-note">Also set: {rest.map(([key, value]) => `${key}: ${value}`).join("; ")}.</p>}
    </Part>
  );
}

function Below({ path }: { readonly path: string }) {
  const children = queues.peek().filter((q) => q.path.startsWith(`${path}.`) && !q.path.slice(path.length + 1).includes("."));
  if (children.length === 0) return null;
  return (
    <Part title="Queues below">
      <ul class="why-list">
        {children.map((q) => <li key={q.path}><Pick kind="queue" id={q.path} label={leafName(q.path)} />: {count(q.pendingAsks ?? 0, "ask")} pending, {q.allocations ?? 0} allocated</li>)}
      </ul>
    </Part>
  );
}
