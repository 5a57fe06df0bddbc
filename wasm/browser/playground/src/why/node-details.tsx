import { useContext } from "preact/hooks";
import type { AskExplanation, Holder, Mismatch } from "../engine/types";
import { count, duration } from "../ui/format";
import { Around } from "./around";
import { Pick as Name } from "./parts";

/** That the node that an ask requires is not there. */
export function NoSuchNode({ e: { required = "", noSuchNode } }: { readonly e: Pick<AskExplanation, "required" | "noSuchNode"> }) {
  return noSuchNode ? <p class="why-missing">It requires node <b>{required}</b>, which does not exist.</p> : null;
}

/** For each attribute that nodes do not meet: the values that the ask allows, and those that nodes have instead. */
export function Mismatches({ of }: { readonly of: readonly Mismatch[] }) {
  if (of.length === 0) return null;
  return (
    <table class="why-table">
      <caption>Attributes that other nodes do not have as it wants them</caption>
      <thead><tr><th scope="col">Attribute</th><th scope="col">It wants</th><th scope="col">They have</th></tr></thead>
      <tbody>
        {of.map(({ attribute, wanted = [], present = [], without = 0 }) => (
          <tr key={attribute}>
            <th scope="row">{attribute}</th>
            <td>{wanted.join(" or ")}</td>
            <td>{[...present.map(({ value = "", nodes = 0 }) => `${value} (${count(nodes, "node")})`), ...(without > 0 ? [`no value (${count(without, "node")})`] : [])].join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** For which asks nodes are reserved, kept or planned, and for how long. */
export function Holders({ of }: { readonly of: readonly Holder[] }) {
  const { now, time } = useContext(Around);
  if (of.length === 0) return null;
  return (
    <ul class="why-list">
      {of.map(({ node = "", ask = "", app = "", queue = "", kept, until, from }) => (
        <li key={`${node} ${ask}`}>
          <Name kind="node" id={node} /> is {from !== undefined ? "planned" : kept ? "kept" : "reserved"} for <Name kind="ask" id={ask} /> of <Name kind="app" id={app} /> in <Name kind="queue" id={queue} />,{" "}
          {from !== undefined ? `which starts at ${time(from)} at the latest` : kept ? "which preempted there, until its victims have left" : until ? `until ${time(until)} at most, in ${duration(until - now())}` : "until that is placed or removed"}.
        </li>
      ))}
    </ul>
  );
}
