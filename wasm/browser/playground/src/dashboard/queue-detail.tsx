import { count } from "../ui/format";
import { Part, Verbatim } from "../why/parts";
import { Below, Decides, Standing, useQueueHeadline, type QueueAnswer } from "../why/queue-parts";
import { AgedCurves } from "./aged-curves";
import { AskTable } from "./app-detail";
import { part, read } from "./host/api";
import { queueExplanation } from "./host/explanations";
import type { AskObject, Page } from "./host/objects";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { Name } from "./name";
import { queueList } from "./queue-tree";
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

function Known({ e, queue, waiting }: QueueAnswer & { readonly waiting: readonly AskObject[] }) {
  useQueueHeadline(e);
  return (
    <>
      <Standing e={e} queue={queue} kind={[
        ["Kind", `${queue.dynamic ? "dynamic " : ""}${queue.leaf ? "leaf: applications are submitted to it" : "parent: holds queues"}`],
        ["Template", e.template && <>the child template of <Name kind="queue" id={e.template} /></>],
      ]} />
      {waiting.length > 0 && <Part title="Pending asks" question="Which asks wait in it?">
        <AskTable asks={waiting} placed={false} />
        <p class="why-note"><a href={addressOf("asks", "", { queue: queue.path, state: "pending" })}>All {count(queue.pendingAsks ?? 0, "pending ask")}</a></p>
      </Part>}
      <AgedCurves path={queue.path} />
      <Decides e={e} queue={queue} />
      <Below path={queue.path} queues={queueList()} />
      {queue.leaf && <p class="why-note"><a href={addressOf("applications", "", { queue: queue.path })}>Its applications</a></p>}
      <Verbatim text={e.text} />
    </>
  );
}
