import type { ComponentChildren } from "preact";
import { count, whole } from "../ui/format";
import { Icon } from "../ui/icons";
import { Empty } from "../ui/panel";
import { Facts, Part } from "../why/parts";
import { Problem, read } from "./host/api";
import type { PolicyObject, ShadowObject } from "./host/objects";
import { timeOfDay } from "./host/times";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { addressOf, place } from "./route";
import { Split } from "./split";

/** Modules come and go without a decision: so many milliseconds apart they are looked at. */
const beat = 5000;

const states: Readonly<Record<PolicyObject["state"], string>> = {
  serving: "serves", quarantined: "in quarantine: its fallback answers", shadow: "shadow: it is compared, and decides nothing", refused: "refused",
};

/** The policy modules: what serves, what failed, what was refused, and what shadows would have done. */
export function Policies() {
  const { name } = place.value;
  const { value, failure, reload } = useFetched("policies", (abort) => readPolicies(abort), beat);
  const picked = value?.find(({ policy }) => policy === name);
  const list = value ? <List of={value} picked={name} />
    : failure === undefined ? <Empty>Loading…</Empty> : <Failure of={failure} onRetry={reload} />;
  return (
    <Split title="Policies" list={list}
      detail={picked && { kind: "Policy", name, close: addressOf("policies"), content: <Detail of={picked} /> }} />
  );
}

/** A host without a folder of policies has no such route: then there are none. */
async function readPolicies(abort: AbortSignal): Promise<readonly PolicyObject[]> {
  try {
    return (await read<{ items: PolicyObject[] }>("v1/policies", abort)).items;
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.status === 404) return [];
    throw thrown;
  }
}

function List({ of, picked }: { readonly of: readonly PolicyObject[]; readonly picked: string }) {
  if (of.length === 0) return <Empty>This host has no policy modules: built-in policies decide. <code>quern serve --policies</code> names a folder of modules.</Empty>;
  return (
    <div class="listing" role="region" aria-label="Policies" tabIndex={0}>
      <table>
        <caption class="sr">Policies</caption>
        <thead><tr><th scope="col">Policy</th><th scope="col">State</th><th scope="col" class="wide">Points</th><th scope="col" class="figure">Calls</th><th scope="col" class="figure">Faults</th></tr></thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.policy} class={one.policy === picked ? "picked" : undefined}>
              <th scope="row"><a href={addressOf("policies", one.policy)} aria-current={one.policy === picked ? "true" : undefined}>{one.policy}</a></th>
              <td data-name="State" class={one.state === "quarantined" || one.refused ? "bad" : undefined}>{states[one.state]}{one.refused && one.state !== "refused" && "; a newer version was refused"}</td>
              <td data-name="Points" class="wide">{one.points.join(", ")}</td>
              <td data-name="Calls" class="figure">{whole(one.calls)}</td>
              <td data-name="Faults" class="figure">{whole(one.faults)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Detail({ of: one }: { readonly of: PolicyObject }) {
  return (
    <>
      {one.refused && <p class="failure"><Icon name="warn" /><span>Its files in the folder were refused: {one.refused}{one.state !== "refused" && " The version before goes on."}</span></p>}
      <Facts facts={[
        ["State", states[one.state]],
        ["In force", one.state !== "shadow" && one.state !== "refused" && (one.in_force ? "yes" : "no: the configuration does not name it")],
        ["Until", one.quarantine && timeOfDay(one.quarantine)],
        ["Shadow of", one.shadow_of],
        ["Points", one.points.join(", ")],
        ["Version", one.version],
        ["Kind", one.process ? "a program: its answers are recorded" : "a module"],
        ["SHA-256", one.sha256 && <code>{one.sha256}</code>],
        ["Fuel", one.fuel !== undefined && `${whole(one.fuel)} a call${one.fuel_per_item ? `, and ${whole(one.fuel_per_item)} an item` : ""}`],
        ["Memory", one.memory !== undefined && `${whole(one.memory)} bytes`],
        ["Calls", whole(one.calls)],
        ["Faults", whole(one.faults)],
      ]} />
      {one.last_fault && <Part title="Its last fault">
        <Facts facts={[["When", timeOfDay(one.last_fault.at)], ["Reason", one.last_fault.reason], ["Message", one.last_fault.message], ["Instead", one.last_fault.fallback]]} />
      </Part>}
      {(one.shadows ?? []).map((shadow) => <Shadow key={`${shadow.of} ${shadow.point}`} of={shadow} />)}
    </>
  );
}

/** What a shadow would have decided otherwise. */
function Shadow({ of }: { readonly of: ShadowObject }): ComponentChildren {
  const share = of.rounds > 0 ? ` (${Math.round((100 * of.differing) / of.rounds)}%)` : "";
  return (
    <Part title={`Compared with ${of.of} at ${of.point}`}>
      <p>In {whole(of.differing)} of {count(of.rounds, "round")}{share} it would have put another item first.{of.faults > 0 && ` It failed ${count(of.faults, "time")}: ${of.fault ?? ""}`}</p>
      {of.first.length > 0 && <ul class="why-list">{of.first.map((d, i) => <li key={i}>{timeOfDay(d.at)}: {d.shadow} instead of {d.acting}, of {count(d.compared, "item")}</li>)}</ul>}
    </Part>
  );
}
