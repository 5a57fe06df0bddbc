import type { Amounts, QueueDump } from "../engine/types";
import { parentPath } from "../model/paths";
import { typesOf } from "../model/quantities";
import { actions } from "../state/run";
import { preempted, queues, status } from "../state/store";
import { amount, duration, share, whole } from "../ui/format";
import { useMoment } from "./asking";
import { Bar } from "./bar";
import { Facts, Part, Pick, useHeadline } from "./parts";
import { Rejected } from "./rejected";
import { TypeTable } from "./type-table";

/** The cluster as a whole, while nothing is selected. */
export function Summary() {
  useMoment();
  const { nodes, apps, asks, pending, oldest } = actions.model();
  const roots = queues.peek().filter((queue) => parentPath(queue.path) === "");
  const drained = [...nodes.values()].filter((node) => !node.schedulable).length;
  useHeadline(nodes.size === 0 ? "The cluster has no nodes yet." : "");
  return (
    <>
      <Facts facts={[
        ["Nodes", drained > 0 ? `${whole(nodes.size)}, of which ${drained} drained` : whole(nodes.size)],
        ["Applications", [...apps.values()].filter((app) => app.asks.size > 0).length],
        ["Asks", `${whole(pending)} pending, ${whole(asks.size - pending)} allocated`],
        ["Longest wait", oldest ? <>{duration((status.peek()?.now ?? 0) - oldest.submitted)}: <Pick kind="ask" id={oldest.id} /></> : "nothing waits"],
        ["Preemptions", `${preempted.peek()} so far`],
      ]} />
      {roots.map((root) => <Use key={root.path} root={root} of={roots.length > 1 ? partitionName(root) : "the cluster"} />)}
      <Rejected of={actions.rejections()} />
      <Part title="What you can select">
        <ul class="why-list">
          <li>a <b>queue</b> or an <b>application</b> in the tree: its use, and what holds it back</li>
          <li>a <b>node</b> or an <b>allocation</b> on the grid: what it is, and why it had to leave</li>
          <li>a <b>decision</b> in the stream: what was decided, and by which law</li>
          <li>an ask that <b>waits</b>: why, and which allocations it would preempt</li>
        </ul>
      </Part>
    </>
  );
}

const partitionName = ({ partition }: QueueDump): string => (partition === undefined ? "the first partition" : `partition ${partition}`);

function Use({ root: { used, max, pending }, of: whose }: { readonly root: QueueDump; readonly of: string }) {
  const of = (set: Amounts | undefined, type: string) => set?.[type] ?? 0;
  return (
    <TypeTable
      caption={`Use of ${whose}`} types={typesOf(max, used, pending)}
      drawing={(type) => <Bar pieces={[{ kind: "used", amount: of(used, type) }]} whole={of(max, type)} />}
      rows={[
        ["Used", (type) => amount(type, of(used, type))],
        ["Share", (type) => share(of(max, type) > 0 ? of(used, type) / of(max, type) : 0)],
        ["Whole", (type) => amount(type, of(max, type))],
        ["Pending", (type) => amount(type, of(pending, type))],
      ]}
    />
  );
}
