import type { ComponentChildren } from "preact";
import type { Config, LimitUsage, QueueDump } from "../engine/types";
import { templateWords } from "../configure/lists";
import { lastName, shownPath } from "../model/paths";
import { actions } from "../state/run";
import { queues } from "../state/store";
import { AppList } from "./app-list";
import { useAsked } from "./asking";
import { Missing } from "./missing";
import { Part, Pick, Verbatim } from "./parts";
import { explainQueue } from "./questions";
import { Below, Decides, Standing, useQueueHeadline, type QueueAnswer } from "./queue-parts";
import { templateFor } from "./templates";
import { UsageTable } from "./usage-table";

/** A queue: its use, what decides in it, and why it takes no more. */
export function QueueView({ path }: { readonly path: string }) {
  const heard = useAsked(`queue ${path}`, async () => ({ e: await explainQueue(path), config: await actions.inForce(), usage: await actions.limitUsage() }));
  if (!heard) return null;
  const { e, config, usage } = heard.answer;
  const queue = e?.queueState;
  return e && queue ? <Known e={e} queue={{ ...queue, path: shownPath(queue.partition, queue.path) }} config={config} usage={usage} /> : <Missing what="queue" id={path} />;
}

interface KnownProps extends QueueAnswer {
  readonly config: Config | undefined;
  /** Of users and groups, in all queues. */
  readonly usage: readonly LimitUsage[];
}

function Known({ e, queue, config, usage }: KnownProps) {
  useQueueHeadline(e);
  return (
    <>
      <Standing e={e} queue={queue} kind={[["Kind", kindOf(queue)], [queue.dynamic ? "Its settings" : "Dynamic leaves", template(config, queue)]]} />
      <Limited path={queue.path} usage={usage} />
      <Decides e={e} queue={queue} />
      <Below path={queue.path} queues={queues.peek()} />
      {queue.leaf && <Part title="Its applications" question="Which applications are in it?"><AppList apps={[...actions.model().apps.values()].filter((a) => a.queue === queue.path)} /></Part>}
      <Verbatim text={e.text} />
    </>
  );
}

const isRecovery = ({ path }: QueueDump): boolean => lastName(path) === "@recovery@";

function kindOf(queue: QueueDump): string {
  const { leaf, dynamic } = queue;
  const kind = leaf ? "leaf: applications are submitted to it" : "parent: holds queues";
  if (!dynamic) return kind;
  if (isRecovery(queue)) return "recovery queue: it holds running applications that no rule places";
  return `dynamic ${kind}; a placement rule created it, and it is removed ${leaf ? "10 seconds after its last application" : "with the last queue below it"}`;
}

/** The child template that a dynamic leaf has its settings from, or that dynamic leaves below have theirs from. */
function template(config: Config | undefined, queue: QueueDump): ComponentChildren {
  if (Boolean(queue.dynamic) !== Boolean(queue.leaf) || isRecovery(queue)) return undefined;
  const found = templateFor(config, queue.path);
  if (!found) return queue.dynamic && config && "none of its own: no queue above has a child template";
  return <>{found.of === queue.path ? "its child template" : <>the child template of <Pick kind="queue" id={found.of} /></>}: {templateWords(found.template)}</>;
}

/** What users and groups use of the limits that are set in the queue itself. */
function Limited({ path, usage }: { readonly path: string; readonly usage: readonly LimitUsage[] }) {
  const here = usage.filter((one) => shownPath(one.partition, one.queue ?? "") === path);
  return here.length > 0 && <Part title="Its limits of users and groups" question="Which users and groups are limited?"><UsageTable caption="The ones nearest to a limit first" usage={here} ofOne /></Part>;
}
