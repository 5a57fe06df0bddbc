import { words } from "../see/words";
import { amounts } from "../ui/format";
import { Facts, Part, Pick, useHeadline } from "../why/parts";
import type { Decision } from "../engine/types";
import { send, withQuery } from "./host/api";
import { amountsOf } from "./host/objects";
import { timeOfDay } from "./host/times";
import { Failure } from "./failure";
import { useFetched } from "./fetched";

/** A decision: what it names, and the line that the host keeps. */
export function DecisionDetail({ seq, known }: { readonly seq: number; readonly known: Decision | undefined }) {
  const { value, failure, reload } = useFetched(`decision ${seq}`, async (abort) => {
    if (known) return known;
    const response = await send(withQuery("v1/decisions", { from: seq, limit: 1 }), { signal: abort });
    const [line] = (await response.text()).split("\n");
    return line ? JSON.parse(line) as Decision : undefined;
  });
  if (failure !== undefined && !value) return <Failure of={failure} onRetry={reload} />;
  return value ? <Known d={value} /> : null;
}

function Known({ d }: { readonly d: Decision }) {
  useHeadline(`${words(d)}.`);
  const [family] = d.type.split(".");
  const kind = family === "node" ? "node" : family === "app" ? "app" : "ask";
  const named = d.id !== undefined && family !== "policy" && family !== "config" && d.type !== "ignored";
  return (
    <>
      <Facts facts={[
        ["When", timeOfDay(d.at)],
        [{ node: "Node", app: "Application", ask: "Ask" }[kind], named && <Pick kind={kind} id={d.id ?? ""} />],
        ["Application", d.app && <Pick kind="app" id={d.app} />],
        ["Queue", d.queue && <Pick kind="queue" id={d.queue} />],
        ["Node", d.node && <Pick kind="node" id={d.node} />],
        ["For", d.for && <Pick kind="ask" id={d.for} />],
        ["Resources", d.resources && amounts(amountsOf(d.resources))],
        ["Policy", d.policy],
        ["Reason", d.reason],
      ]} />
      {(d.errors ?? d.warnings) && <Part title={d.errors ? "Errors" : "Warnings"}><ul class="why-list">{(d.errors ?? d.warnings ?? []).map((line) => <li key={line}>{line}</li>)}</ul></Part>}
      <details class="why-verbatim"><summary>Record of the host</summary><pre>{JSON.stringify(d, undefined, 1)}</pre></details>
    </>
  );
}
