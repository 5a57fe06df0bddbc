/** When and where a blocked ask starts at the latest, or why it has no planned start. */

import { useContext } from "preact/hooks";
import type { AskExplanation, Departure, PlanExplanation } from "../engine/types";
import { duration } from "../ui/format";
import { Around } from "./around";
import { Part, Pick as Name } from "./parts";
import { noPlan, slips } from "./words";

export function Planned({ e }: { readonly e: AskExplanation }) {
  const { planned, unplanned = "", shorter, plannedRoom } = e;
  const { time } = useContext(Around);
  if (!planned && unplanned === "" && !shorter && !plannedRoom) return null;
  return (
    <Part title="Planned start" question="When does it start at the latest?">
      {planned && <Starts of={planned} />}
      {unplanned !== "" && <p>It has no planned start: {noPlan[unplanned] ?? unplanned}.</p>}
      {plannedRoom && (
        <p>Room that it would take {plannedRoom.queue ? <>in <Name kind="queue" id={plannedRoom.queue} /></> : "at a limit"} is planned for other asks from {time(plannedRoom.from ?? 0)} on.</p>
      )}
      {shorter && <p>With a walltime of {duration(shorter.walltime ?? 0)} or less, it would start now on <Name kind="node" id={shorter.node ?? ""} />.</p>}
    </Part>
  );
}

function Starts({ of: p }: { readonly of: PlanExplanation }) {
  const { time } = useContext(Around);
  const nodes = [...new Set(p.nodes && p.nodes.length > 0 ? p.nodes : [p.node ?? ""])];
  const slip = slips[p.reason ?? ""];
  return (
    <>
      <p>
        {p.gang ? `Its gang ${p.gang}` : "It"} starts at the latest at <b>{time(p.start ?? 0)}</b> on {nodes.map((id, i) => <>{i > 0 && ", "}<Name kind="node" id={id} /></>)}.
        {slip && ` It was planned for earlier before: ${slip}.`}
      </p>
      <Before after={p.after ?? []} more={p.more ?? 0} window={p.window} />
    </>
  );
}

/** What leaves before, the last to leave at the end. */
function Before({ after, more, window }: { readonly after: readonly Departure[]; readonly more: number; readonly window: string | undefined }) {
  const { time } = useContext(Around);
  if (after.length === 0 && !window) return null;
  return (
    <>
      <p>Before that:</p>
      <ul class="why-list">
        {more > 0 && <li>{more} more leave first.</li>}
        {after.map(({ ask = "", ends = 0, planned }) => (
          <li key={ask}><Name kind="ask" id={ask} />{planned ? ", planned before it, leaves" : " leaves"} at {time(ends)} at the latest.</li>
        ))}
        {window && <li>Window {window} closes.</li>}
      </ul>
    </>
  );
}
