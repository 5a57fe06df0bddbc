import { Select, TextField } from "../ui/field";
import { Swatch } from "../see/swatch";
import { filled, useFilter } from "./filter";
import { GangDetail } from "./gang-detail";
import { MemberBlocks } from "./gang-members";
import { gangCause, gangPlace, gangStanding } from "./gang-words";
import type { GangObject } from "./host/objects";
import { Listing } from "./listing";
import { Name } from "./name";
import { addressOf, gangName, gangOf, go, place } from "./route";
import { Split } from "./split";

const states = [
  { value: "", text: "Any state" }, { value: "waiting", text: "Waiting" }, { value: "accumulating", text: "Accumulating" }, { value: "whole", text: "Whole" },
  { value: "broken", text: "Broken" }, { value: "leaving", text: "Leaving" }, { value: "single", text: "Single" },
] as const;

/** The atomic gangs: each is a row, with its members together in it. */
export function Gangs() {
  const { name, filters } = place.value;
  const set = (changed: Readonly<Record<string, string>>) => go(addressOf("gangs", name, filled({ ...filters, ...changed })));
  const queue = useFilter(filters.queue, (value) => set({ queue: value }));
  const app = useFilter(filters.app, (value) => set({ app: value }));
  const state = states.find(({ value }) => value === filters.state)?.value ?? "";
  return (
    <Split title="Gangs"
      tools={<div class="filters">
        <Select bare label="State" value={state} options={states} onChange={(value) => set({ state: value })} />
        <TextField label="Queue" value={queue.text} onInput={queue.set} placeholder="root.a" />
        <TextField label="Application" value={app.text} onInput={app.set} />
      </div>}
      list={<GangList filters={{ state, queue: filters.queue ?? "", app: filters.app ?? "" }} picked={name} address={(of) => addressOf("gangs", of, filled(filters))} />}
      detail={name === "" ? undefined : { kind: "Gang", name: titleOf(name), close: addressOf("gangs", "", filled(filters)), content: <GangDetail key={name} name={name} /> }} />
  );
}

function titleOf(name: string): string {
  const { app, gang } = gangOf(name);
  return `${gang} of ${app}`;
}

interface GangListProps {
  readonly filters: Readonly<Record<string, string>>;
  readonly picked: string;
  readonly address: (name: string) => string;
}

export function GangList({ filters, picked, address }: GangListProps) {
  const selected = Object.values(filters).some((value) => value !== "");
  return (
    <Listing<GangObject> path="v1/gangs" filters={filters} caption="Gangs" word="gang" picked={picked} address={address} nameOf={({ app, gang }) => gangName(app, gang)}
      empty={selected ? "There are none." : "No application has an atomic gang. Asks with the same gang and gang_min are placed together."}
      columns={[
        { name: "Gang", show: (one) => <><Swatch app={one.app} /> {one.gang}</> },
        { name: "Members", show: (one) => <MemberBlocks gang={one} /> },
        { name: "State", show: (one) => <Standing gang={one} /> },
        { name: "Domain", show: gangPlace },
        { name: "Application", kind: "wide", show: (one) => <Name kind="app" id={one.app} /> },
        { name: "Queue", kind: "wide", show: (one) => <Name kind="queue" id={one.queue} /> },
      ]} />
  );
}

function Standing({ gang }: { readonly gang: GangObject }) {
  const cause = gangCause(gang);
  return <span class={gang.state === "broken" ? "bad" : undefined}>{gangStanding(gang)}{cause !== "" && <small class="gang-cause"> {cause}</small>}</span>;
}
