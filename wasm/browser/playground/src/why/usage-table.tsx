import { useState } from "preact/hooks";
import type { LimitUsage } from "../engine/types";
import { Button } from "../ui/button";
import { Bar } from "./bar";
import { Pick } from "./parts";
import { usageRows, type Bound, type UsageRow } from "./usage-rows";

/** How many rows are shown before the rest is asked for. */
const first = 50;

interface UsageProps {
  readonly caption: string;
  readonly usage: readonly LimitUsage[];
  /** All of it is of one queue, which need not be named then. */
  readonly ofOne?: boolean;
}

/** What users and groups use against their limits, the ones nearest to a limit first. */
export function UsageTable({ caption, usage, ofOne }: UsageProps) {
  const [all, setAll] = useState(false);
  const rows = usageRows(usage);
  const shown = all ? rows : rows.slice(0, first);
  return (
    <>
      <table class="why-table why-usage">
        <caption>{caption}</caption>
        <thead><tr><th scope="col">User or group</th><th scope="col">Uses of its limit</th></tr></thead>
        <tbody>{shown.map((row) => <Line key={row.key} row={row} ofOne={ofOne} />)}</tbody>
      </table>
      {shown.length < rows.length && <Button small kind="quiet" onClick={() => setAll(true)}>{`${rows.length - shown.length} more`}</Button>}
    </>
  );
}

function Line({ row: { who, queue, full, bounds }, ofOne }: { readonly row: UsageRow; readonly ofOne: boolean | undefined }) {
  return (
    <tr>
      <th scope="row">{who}{!ofOne && <small>in <Pick kind="queue" id={queue} /></small>}{full && <small class="why-full">at its limit</small>}</th>
      <td>{bounds.map((bound) => <Against key={bound.of} bound={bound} />)}</td>
    </tr>
  );
}

function Against({ bound: { used, limit, text } }: { readonly bound: Bound }) {
  const within = Math.min(used, limit);
  return <div>{text}<Bar pieces={[{ kind: "used", amount: within }, { kind: "missing", amount: used - within }]} mark={limit} whole={Math.max(used, limit)} /></div>;
}
