import type { ComponentChildren } from "preact";
import type { Amounts, Config, LimitUsage, QueueDump, QueueExplanation } from "../engine/types";
import { templateWords } from "../configure/lists";
import { lastName, shownPath } from "../model/paths";
import { typesOf } from "../model/quantities";
import { actions } from "../state/run";
import { queues } from "../state/store";
import { amount, amounts, count, fairShare, whole } from "../ui/format";
import { AppList } from "./app-list";
import { useAsked } from "./asking";
import { Bar } from "./bar";
import { Missing } from "./missing";
import { Facts, Part, Pick, useHeadline, Verbatim } from "./parts";
import { OverMax } from "./over-max";
import { leafName, lineage } from "./paths";
import { AtBound, Lacks } from "./reasons";
import { explainQueue } from "./questions";
import { deciding, others } from "./properties";
import { templateFor } from "./templates";
import { TypeTable } from "./type-table";
import { UsageTable } from "./usage-table";
import { helpFor, waitsBecause } from "./words";

/** A queue: its use, what decides in it, and why it takes no more. */
export function QueueView({ path }: { readonly path: string }) {
  const heard = useAsked(`queue ${path}`, async () => ({ e: await explainQueue(path), config: await actions.inForce(), usage: await actions.limitUsage() }));
  if (!heard) return null;
  const { e, config, usage } = heard.answer;
  const queue = e?.queueState;
  return e && queue ? <Known e={e} queue={{ ...queue, path: shownPath(queue.partition, queue.path) }} config={config} usage={usage} /> : <Missing what="queue" id={path} />;
}

interface KnownProps {
  readonly e: QueueExplanation;
  /** By the path that is shown. */
  readonly queue: QueueDump;
  readonly config: Config | undefined;
  /** Of users and groups, in all queues. */
  readonly usage: readonly LimitUsage[];
}

function Known({ e, queue, config, usage }: KnownProps) {
  const reasons = e.reasons ?? [];
  useHeadline([over(e), waitsBecause(reasons, { who: "The first of what it has pending", lacks: e.lacks })].filter(Boolean).join(" "));
  return (
    <>
      <Facts facts={[
        ["State", queue.state === "active" ? "active" : `${queue.state ?? ""}: it takes no new applications`],
        ["Kind", kindOf(queue)],
        [queue.dynamic ? "Its settings" : "Dynamic leaves", template(config, queue)],
        ["Asks", `${whole(queue.pendingAsks ?? 0)} pending, ${whole(queue.allocations ?? 0)} allocated`],
        ["Applications", running(queue)],
        ["Shows priority", queue.hasPriority && (queue.priority ?? 0)],
        ["Fair share", fairShare(queue.fairShare)],
      ]} />
      <OverMax e={e.quota} />
      <Usage queue={queue} />
      {queue.pendingAsks ? <Held e={e} queue={queue} /> : null}
      <Limited path={queue.path} usage={usage} />
      <Decides queue={queue} />
      <Below path={queue.path} />
      {queue.leaf && <Part title="Its applications"><AppList apps={[...actions.model().apps.values()].filter((a) => a.queue === queue.path)} /></Part>}
      <Verbatim text={e.text} />
    </>
  );
}

function over({ quota }: QueueExplanation): string {
  return quota ? `It uses ${amounts(quota.excess)} more than its max.` : "";
}

const isRecovery = ({ path }: QueueDump): boolean => lastName(path) === "@recovery@";

function kindOf(queue: QueueDump): string {
  const { leaf, dynamic } = queue;
  const kind = leaf ? "leaf: applications are submitted to it" : "parent: holds queues";
  if (!dynamic) return kind;
  if (isRecovery(queue)) return "recovery queue: it holds what runs already and what no rule places";
  return `dynamic ${kind}; a placement rule made it, and it goes ${leaf ? "10 seconds after its last application" : "with the last queue below it"}`;
}

/** The child template that a dynamic leaf has its settings from, or that dynamic leaves below have theirs from. */
function template(config: Config | undefined, queue: QueueDump): ComponentChildren {
  if (Boolean(queue.dynamic) !== Boolean(queue.leaf) || isRecovery(queue)) return undefined;
  const found = templateFor(config, queue.path);
  if (!found) return queue.dynamic && config && "none of its own: no queue above has a child template";
  return <>{found.of === queue.path ? "its child template" : <>the child template of <Pick kind="queue" id={found.of} /></>}: {templateWords(found.template)}</>;
}

function running({ applications = 0, running = 0, maxRunning }: QueueDump): string {
  return `${running} of ${applications} running${maxRunning ? `, at most ${maxRunning}` : ""}`;
}

function Usage({ queue: { path, used, guaranteed, max, headroom, pending } }: { readonly queue: QueueDump }) {
  const cluster = queues.peek().find((root) => root.path === lineage(path)[0])?.max ?? {};
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

/** What users and groups use of the limits that are set in the queue itself. */
function Limited({ path, usage }: { readonly path: string; readonly usage: readonly LimitUsage[] }) {
  const here = usage.filter((one) => shownPath(one.partition, one.queue ?? "") === path);
  return here.length > 0 && <Part title="Its limits of users and groups"><UsageTable caption="The ones nearest to a limit first" usage={here} ofOne /></Part>;
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
