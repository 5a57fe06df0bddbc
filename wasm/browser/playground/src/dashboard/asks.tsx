import { Select, TextField } from "../ui/field";
import { amounts } from "../ui/format";
import { AskDetail } from "./ask-detail";
import { filled, useFilter } from "./filter";
import { amountsOf, type AskObject } from "./host/objects";
import { ago } from "./host/times";
import { Listing, type Column } from "./listing";
import { Name } from "./name";
import { addressOf, go, place } from "./route";
import { Split } from "./split";

const states = [{ value: "pending", text: "Pending" }, { value: "allocated", text: "Allocated" }, { value: "leaving", text: "Told to leave" }, { value: "all", text: "All" }] as const;

/** Asks; those that wait come first, since they are what one looks for. */
export function Asks() {
  const { name, filters } = place.value;
  const state = states.find(({ value }) => value === filters.state)?.value ?? "pending";
  const set = (changed: Readonly<Record<string, string>>) => go(addressOf("asks", name, filled({ ...filters, ...changed })));
  const queue = useFilter(filters.queue, (value) => set({ queue: value }));
  const app = useFilter(filters.app, (value) => set({ app: value }));
  return (
    <Split title="Asks"
      tools={<div class="filters">
        <Select bare label="State" value={state} options={states} onChange={(value) => set({ state: value })} />
        <TextField label="Queue" value={queue.text} onInput={queue.set} placeholder="root.a" />
        <TextField label="Application" value={app.text} onInput={app.set} />
      </div>}
      list={<Listing<AskObject> path="v1/asks" filters={{ state: state === "all" ? "" : state, queue: filters.queue ?? "", app: filters.app ?? "", node: filters.node ?? "" }}
        caption="Asks" word="ask" empty={state === "pending" ? "No ask waits." : "There are none."} nameOf={(one) => one.ask} picked={name} address={(of) => addressOf("asks", of, filled(filters))}
        columns={columnsOf(state)} />}
      detail={name === "" ? undefined : { kind: "Ask", name, close: addressOf("asks", "", filled(filters)), content: <AskDetail key={name} id={name} /> }} />
  );
}

/** What one looks for in asks of a state. */
function columnsOf(state: (typeof states)[number]["value"]): readonly Column<AskObject>[] {
  const all: readonly (Column<AskObject> | false)[] = [
    { name: "Ask", show: (one) => one.ask },
    state === "all" && { name: "State", kind: "short", show: (one) => one.state },
    { name: "Resources", show: (one) => `${amounts(amountsOf(one.resources))}${one.placeholder ? ", placeholder" : ""}` },
    { name: "Application", kind: "wide", show: (one) => <Name kind="app" id={one.app} /> },
    { name: "Queue", show: (one) => <Name kind="queue" id={one.queue} /> },
    state !== "pending" && { name: "Node", kind: "short", show: (one) => one.node && <Name kind="node" id={one.node} /> },
    { name: "Priority", kind: "figure", show: (one) => one.priority },
    { name: state === "pending" ? "Waits" : "Since", kind: "figure", show: (one) => ago(one.allocated ?? one.submitted) },
  ];
  return all.filter((column) => column !== false);
}
