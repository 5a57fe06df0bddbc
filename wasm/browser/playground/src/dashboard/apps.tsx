import { Select, TextField } from "../ui/field";
import { amounts } from "../ui/format";
import { Swatch } from "../see/swatch";
import { AppDetail } from "./app-detail";
import { filled, useFilter } from "./filter";
import { amountsOf, type AppObject } from "./host/objects";
import { ago } from "./host/times";
import { Listing } from "./listing";
import { Name } from "./name";
import { addressOf, go, place } from "./route";
import { Split } from "./split";

const states = ["", "New", "Accepted", "Starting", "Running", "Resuming", "Completing", "Failing"].map((value) => ({ value, text: value || "Any state" }));

export function Applications() {
  const { name, filters } = place.value;
  const set = (changed: Readonly<Record<string, string>>) => go(addressOf("applications", name, filled({ ...filters, ...changed })));
  const queue = useFilter(filters.queue, (value) => set({ queue: value }));
  return (
    <Split title="Applications"
      tools={<div class="filters">
        <Select bare label="State" value={filters.state ?? ""} options={states} onChange={(value) => set({ state: value })} />
        <TextField label="Queue" value={queue.text} onInput={queue.set} placeholder="root.a" />
      </div>}
      list={<Listing<AppObject> path="v1/apps" filters={{ queue: filters.queue ?? "", state: filters.state ?? "" }} caption="Applications" word="application"
        empty="There are none." nameOf={(one) => one.app} picked={name} address={(of) => addressOf("applications", of, filled(filters))}
        columns={[
          { name: "Application", show: (one) => <><Swatch app={one.app} /> {one.app}</> },
          { name: "State", kind: "short", show: (one) => one.state },
          { name: "User", kind: "wide", show: (one) => one.user },
          { name: "Queue", show: (one) => <Name kind="queue" id={one.queue} /> },
          { name: "Uses", kind: "wide", show: (one) => amounts(amountsOf(one.used)) },
          { name: "Pending", kind: "figure", show: (one) => one.pending },
          { name: "Allocated", kind: "figure", show: (one) => one.allocations },
          { name: "Submitted", kind: "figure", show: (one) => `${ago(one.submitted)} ago` },
        ]} />}
      detail={name === "" ? undefined : { kind: "Application", name, close: addressOf("applications", "", filled(filters)), content: <AppDetail key={name} id={name} /> }} />
  );
}
