import { useState } from "preact/hooks";
import { IconButton } from "../ui/button";
import { Select, TextField } from "../ui/field";
import { Meter } from "../ui/meter";
import { amount, amountOf, share } from "../ui/format";
import { typesOf } from "../model/quantities";
import { filled, useFilter } from "./filter";
import { amountsOf, type NodeObject } from "./host/objects";
import { Listing } from "./listing";
import { NodeDetail } from "./node-detail";
import { domainsOf, stateOf } from "./node-state";
import { NodesOverTime } from "./over-time";
import { Racks } from "./racks";
import { addressOf, go, place } from "./route";
import { Split } from "./split";

const states = [{ value: "", text: "Any state" }, { value: "schedulable", text: "Ready" }, { value: "drained", text: "Drained" }] as const;

export function Nodes() {
  const { name, filters } = place.value;
  const set = (changed: Readonly<Record<string, string>>) => go(addressOf("nodes", name, filled({ ...filters, ...changed })));
  const partition = useFilter(filters.partition, (value) => set({ partition: value }));
  const racks = filters.by === "domain";
  const time = filters.by === "time";
  const [table, setTable] = useState(false);
  const state = states.find(({ value }) => value === filters.state)?.value ?? "";
  return (
    <Split title="Nodes"
      tools={<div class="filters">
        <Select bare label="Show" value={racks ? "domain" : time ? "time" : ""} options={shows} onChange={(by) => set({ by, level: "", state: "" })} />
        {!racks && !time && <Select bare label="State" value={state} options={states} onChange={(value) => set({ state: value })} />}
        <TextField label="Partition" value={partition.text} onInput={partition.set} placeholder="all" />
        {time && <IconButton icon="table" label="Show as table" pressed={table} onClick={() => setTable(!table)} />}
      </div>}
      list={time ? <NodesOverTime partition={filters.partition ?? ""} picked={name} table={table} node={(of) => addressOf("nodes", of, filled(filters))} /> : racks ? <Racks partition={filters.partition ?? ""} picked={name} address={(of) => addressOf("nodes", of, filled(filters))} /> : <Listing<NodeObject> path="v1/nodes" filters={{ partition: filters.partition ?? "", state }} caption="Nodes" word="node"
        empty={Object.keys(filters).length > 0 ? "There are none." : "The cluster has no nodes yet."}
        nameOf={(one) => one.node} picked={name} address={(of) => addressOf("nodes", of, filled(filters))}
        columns={[
          { name: "Node", show: (one) => one.node },
          { name: "State", kind: "short", show: stateOf },
          { name: "Use", show: (one) => <Use node={one} /> },
          { name: "Domain", kind: "wide", show: domainsOf },
          { name: "Allocations", kind: "figure", show: (one) => one.allocations.length },
          { name: "Partition", kind: "wide", show: (one) => one.partition ?? "" },
        ]} />}
      detail={name === "" ? undefined : { kind: "Node", name, close: addressOf("nodes", "", filled(filters)), content: <NodeDetail key={name} id={name} /> }} />
  );
}

const shows = [{ value: "", text: "As a list" }, { value: "domain", text: "By domain" }, { value: "time", text: "Over time" }] as const;

/** A bar for each type: what this scheduler and others use of the node. */
function Use({ node }: { readonly node: NodeObject }) {
  const [capacity, used, occupied] = [amountsOf(node.capacity), amountsOf(node.used), amountsOf(node.occupied)];
  return (
    <div class="uses">
      {typesOf(capacity).map((type) => {
        const [full, taken] = [capacity[type] ?? 0, (used[type] ?? 0) + (occupied[type] ?? 0)];
        return (
          <span key={type} class="use">
            <Meter label={`${amount(type, taken)} of ${amountOf(type, full)}`} used={taken} full={full} max={full} />
            <small>{type} {share(full > 0 ? taken / full : 0)}</small>
          </span>
        );
      })}
    </div>
  );
}
