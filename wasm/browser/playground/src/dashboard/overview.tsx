import { parentPath } from "../model/paths";
import { typesOf } from "../model/quantities";
import { amount, share, whole } from "../ui/format";
import { Meter } from "../ui/meter";
import { Empty, Panel } from "../ui/panel";
import { Facts } from "../why/parts";
import type { QueueDump } from "../engine/types";
import { Attention } from "./attention";
import { Failure } from "./failure";
import { rates, recent } from "./live";
import { useQueues } from "./queue-tree";
import { addressOf } from "./route";
import { NoDecisions, Told } from "./told";
import { Waiting } from "./waiting";

const lastDecisions = 12;

/** What is wrong, how full the cluster is, who waits, and what happens. */
export function Overview() {
  const { value, failure, reload } = useQueues();
  const queues = value?.queues ?? [];
  const roots = queues.filter(({ path }) => parentPath(path) === "");
  return (
    <div class="overview">
      <div class="overview-column">
        <Attention queues={value?.queues} failure={failure} />
        <Panel title="Cluster" class="cluster">
          {failure !== undefined ? <Failure of={failure} onRetry={reload} /> : !value && <Empty>Loading…</Empty>}
          {roots.map((root) => <Use key={root.path} root={root} of={roots.length > 1 ? root.path : ""} />)}
          {value && <Counts roots={roots} queues={queues.length} more={value.more} />}
        </Panel>
      </div>
      <div class="overview-column">
        <Waiting queues={value?.queues} failure={failure} />
        <Last />
      </div>
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

function Last() {
  const last = recent.value.slice(-lastDecisions);
  return (
    <Panel title="Last decisions" tools={<a href={addressOf("decisions")}>All</a>}>
      {last.length === 0 ? <NoDecisions /> : <Told of={last} />}
    </Panel>
  );
}
