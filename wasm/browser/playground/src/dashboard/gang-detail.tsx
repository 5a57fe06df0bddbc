import { Facts, Part, Pick, useHeadline, Verbatim } from "../why/parts";
import { part, read, readIfAllowed } from "./host/api";
import type { GangMember, GangObject } from "./host/objects";
import { ago, timeOfDay } from "./host/times";
import { Failure, Withheld } from "./failure";
import { useFetched } from "./fetched";
import { gangCause, gangPlace, gangStanding } from "./gang-words";
import { Name } from "./name";
import { addressOf, gangOf } from "./route";

interface Known {
  readonly gang: GangObject;
  /** What the scheduler says of its first pending member, or else of its first; undefined: that is kept from the user. */
  readonly text: string | undefined;
}

async function known(name: string, abort: AbortSignal): Promise<Known> {
  const { app, gang: id } = gangOf(name);
  const gang = await read<GangObject>(`v1/gangs/${part(app)}/${part(id)}`, abort);
  const member = gang.members.find(({ state }) => state === "pending") ?? gang.members[0];
  const e = member && await readIfAllowed<{ readonly text: string }>(`v1/asks/${part(member.ask)}/explanation`, abort);
  return { gang, text: e?.text };
}

/** A gang: how it stands, why it waits, and where its members are. */
export function GangDetail({ name }: { readonly name: string }) {
  const { value, failure, reload } = useFetched(`gang ${name}`, (abort) => known(name, abort));
  if (!value) return failure === undefined ? <p class="why-note">Loading…</p> : <Failure of={failure} onRetry={reload} />;
  return <Shown {...value} />;
}

function Shown({ gang, text }: Known) {
  const { held, slices = [], set } = gang;
  const cause = gangCause(gang);
  useHeadline(`It ${gangStanding(gang).replace(/^(whole|broken|single)/, "is $1")}.`);
  return (
    <>
      <Facts facts={[
        ["Application", <Pick kind="app" id={gang.app} />],
        ["Queue", <Pick kind="queue" id={gang.queue} />],
        ["User", gang.user],
        [gang.state === "broken" ? "Broken by" : "Waits because", cause],
        ["Members", `${gang.allocated} run, ${gang.pending} wait, ${gang.leaving} leave, ${gang.succeeded} succeeded`],
        ["Needs", `${gang.needed} members${gang.max === undefined ? "" : `, at most ${gang.max}`}`],
        ["Surplus", gang.surplus],
        ["Disruption", gang.disruption],
        ["Domain", gangPlace(gang)],
        ["Set", set !== undefined && `${set}, of which ${gang.set_min ?? 0} gangs start together${gang.set_waits ? ": it waits for them" : ""}`],
        ["Times out", gang.times_out && timeOfDay(gang.times_out)],
        ["Must be repaired", gang.repair_ends && `by ${timeOfDay(gang.repair_ends)}`],
        ["Submitted", `${ago(gang.submitted)} ago, at ${timeOfDay(gang.submitted)}`],
      ]} />
      {held && <Part title="Room that is held" question="What is held for it?">
        <p class="why-note">Since {timeOfDay(held.since)}, until {timeOfDay(held.until)} at most.</p>
        <Members caption="Room that is held" list={held.members} more={held.more ?? 0} gang={gang} />
      </Part>}
      {slices.length > 0 && <Part title={`Slices of ${gang.slice_size ?? 0} members`} question="Where are its slices?">
        <table class="why-table">
          <caption class="sr">Slices</caption>
          <thead><tr><th scope="col">Slice</th><th scope="col" class="why-figure">Allocated</th><th scope="col">{gang.slice_level ?? "Domain"}</th></tr></thead>
          <tbody>{slices.map((one) => <tr key={one.slice}><th scope="row">{one.slice}</th><td class="why-figure">{one.allocated}</td><td>{one.domain ?? "several"}</td></tr>)}</tbody>
        </table>
      </Part>}
      <Part title="Its members" question="Where are its members?"><Members caption="Members" list={gang.members} more={gang.more_members ?? 0} gang={gang} /></Part>
      {text === undefined ? <Withheld /> : <Verbatim text={text} />}
    </>
  );
}

interface MembersProps {
  readonly caption: string;
  readonly list: readonly GangMember[];
  readonly more: number;
  readonly gang: GangObject;
}

function Members({ caption, list, more, gang }: MembersProps) {
  return (
    <>
      <table class="why-table">
        <caption class="sr">{caption}</caption>
        <thead><tr><th scope="col">Ask</th><th scope="col">State</th><th scope="col">Node</th></tr></thead>
        <tbody>
          {list.map(({ ask, state, node }) => (
            <tr key={ask}><th scope="row"><Name kind="ask" id={ask} /></th><td>{state}</td><td>{node !== undefined && <Name kind="node" id={node} />}</td></tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="why-note">And {more} more: <a href={addressOf("asks", "", { app: gang.app, state: "all" })}>all asks of its application</a>.</p>}
    </>
  );
}
