import type { Excluded, NonVictim, PreemptionExplanation, Shortfall } from "../engine/types";
import { amountOf, count } from "../ui/format";
import { Facts, Pick } from "./parts";
import { Stands } from "./stand";
import { inWords, protections, remedies } from "./words";

/** Why an ask preempts nothing, which allocations are protected and by what, and what would still be missing on the closest node. */
export function Refusal({ e }: { readonly e: PreemptionExplanation }) {
  const { verdict, node, laws = [], barred = [], short = [], inWay = [] } = e;
  return (
    <>
      <Facts facts={[["Remedy", inWords(remedies, verdict)]]} />
      <Stands findings={laws} />
      <Protected list={barred} />
      {node && <Closest node={node} short={short} inWay={inWay} />}
    </>
  );
}

function Protected({ list }: { readonly list: readonly Excluded[] }) {
  if (list.length === 0) return null;
  return (
    <table class="why-table">
      <caption>Allocations that it may not preempt, on nodes that it could run on</caption>
      <thead><tr><th scope="col">Queue</th><th scope="col">Protected</th><th scope="col" class="why-figure">Allocations</th></tr></thead>
      <tbody>
        {list.map(({ queue = "", reason, allocations = 0 }) => (
          <tr key={`${queue} ${reason ?? ""}`}>
            <th scope="row"><Pick kind="queue" id={queue} /></th>
            <td>{inWords(protections, reason)}</td>
            <td class="why-figure">{allocations}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ClosestProps {
  readonly node: string;
  readonly short: readonly Shortfall[];
  readonly inWay: readonly NonVictim[];
}

function Closest({ node, short, inWay }: ClosestProps) {
  return (
    <>
      <p>Closest is <Pick kind="node" id={node} />{short.length === 0 && ", where no set of them is lawful as a whole"}.</p>
      {short.length > 0 && <ul class="why-list">
        {short.map(({ queue, type, missing = 0 }) => (
          <li key={`${queue ?? ""} ${type}`}>{amountOf(type, missing)} would still be missing{queue && <> below the max of <Pick kind="queue" id={queue} /></>}</li>
        ))}
      </ul>}
      {inWay.length > 0 && <table class="why-table">
        <caption>{count(inWay.length, "allocation")} would stay there</caption>
        <thead><tr><th scope="col">Allocation</th><th scope="col">Queue</th><th scope="col">Protected</th></tr></thead>
        <tbody>
          {inWay.map(({ id, queue = "", reason }) => (
            <tr key={id}>
              <th scope="row"><Pick kind="ask" id={id} /></th>
              <td><Pick kind="queue" id={queue} /></td>
              <td>{inWords(protections, reason)}</td>
            </tr>
          ))}
        </tbody>
      </table>}
    </>
  );
}
