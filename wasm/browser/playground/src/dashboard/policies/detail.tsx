import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../ui/button";
import { amount, count, whole } from "../../ui/format";
import { Icon } from "../../ui/icons";
import { Facts, Part } from "../../why/parts";
import { Confirm } from "../confirm";
import type { PolicyObject, ShadowObject } from "../host/objects";
import { timeOfDay } from "../host/times";
import { remove, rollBack } from "./files";

export const states: Readonly<Record<PolicyObject["state"], string>> = {
  serving: "serves", quarantined: "in quarantine: its fallback answers", shadow: "shadow: compared, but not in force", refused: "refused",
};

interface DetailProps {
  readonly of: PolicyObject;
  /** Whether the user may change the folder. */
  readonly changes: boolean;
  /** Says that the folder has changed. */
  readonly onChange: () => void;
  readonly onRemoved: () => void;
}

/** A policy module: what it does, what was wrong with it, and what can be done about it. */
export function Detail({ of: one, changes, onChange, onRemoved }: DetailProps) {
  return (
    <>
      {one.refused && <p class="failure"><Icon name="warn" /><span>Its files in the folder were refused: {one.refused}{one.state !== "refused" && " The previous version stays in force."}</span></p>}
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
        ["Memory", one.memory !== undefined && amount("memory", one.memory)],
        ["Calls", whole(one.calls)],
        ["Faults", whole(one.faults)],
      ]} />
      {one.last_fault && <Part title="Its last fault">
        <Facts facts={[["When", timeOfDay(one.last_fault.at)], ["Reason", one.last_fault.reason], ["Message", one.last_fault.message], ["Fallback", one.last_fault.fallback]]} />
      </Part>}
      {(one.shadows ?? []).map((shadow) => <Shadow key={`${shadow.of} ${shadow.point}`} of={shadow} />)}
      {changes && <Changes of={one} onChange={onChange} onRemoved={onRemoved} />}
    </>
  );
}

/** What can be done with its files: each is asked about first, and said again where the host refuses it. */
function Changes({ of: { policy, in_force: inForce, previous }, onChange, onRemoved }: Omit<DetailProps, "changes">) {
  const [asks, ask] = useState<"rollback" | "remove">();
  const close = () => ask(undefined);
  return (
    <Part title="Change it">
      <p class="why-tools">
        {previous && <Button small icon="back" onClick={() => ask("rollback")}>Roll back…</Button>}
        <Button small kind="danger" icon="close" onClick={() => ask("remove")}>Remove…</Button>
      </p>
      {!previous && <p class="why-note">There is no previous version to roll back to.</p>}
      {asks === "rollback" && <Confirm title={`Roll back ${policy}`} lead="The previous version serves again, and this one is kept as the previous version: a second rollback undoes it."
        verb="Roll back" run={() => rollBack(policy).finally(onChange)} onClose={close} />}
      {asks === "remove" && <Confirm title={`Remove ${policy}`} verb="Remove" danger onClose={close}
        lead={inForce ? "It is in force: from then on its fallback decides in its place, which is reported as a fault." : "It is not in force: no decision changes."}
        run={() => remove(policy).then(onRemoved)} />}
    </Part>
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
