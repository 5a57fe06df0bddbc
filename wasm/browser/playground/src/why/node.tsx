import type { NodeModel } from "../model/model";
import { typesOf } from "../model/quantities";
import { actions } from "../state/run";
import { amount, amounts, count } from "../ui/format";
import { useMoment } from "./asking";
import { Bar } from "./bar";
import { Missing } from "./missing";
import { Facts, Part, Pick, useHeadline } from "./parts";
import { TypeTable } from "./type-table";

/** A node: what it has, what runs there, and the ask that it is kept for. */
export function NodeView({ id }: { readonly id: string }) {
  useMoment();
  const node = actions.model().nodes.get(id);
  return node ? <Known node={node} /> : <Missing what="node" id={id} />;
}

function Known({ node }: { readonly node: NodeModel }) {
  useHeadline(standing(node));
  return (
    <>
      <Facts facts={[
        ["State", node.schedulable ? "accepts asks" : "draining: accepts no asks, keeps its allocations"],
        ["Kept for", node.kept && <Pick kind="ask" id={node.kept} />],
        ["Reserved for", node.reserved && <Pick kind="ask" id={node.reserved} />],
        ["Attributes", Object.entries(node.attributes).map(([name, value]) => `${name}=${value}`).join(", ")],
      ]} />
      <Usage node={node} />
      <Part title={`Allocations (${node.allocations.size})`} question="What runs there?"><Allocations node={node} /></Part>
    </>
  );
}

function standing(node: NodeModel): string {
  const runs = count(node.allocations.size, "allocation");
  const after = node.reserved === undefined ? "" : ` After that it is reserved for ask ${node.reserved}.`;
  if (node.kept !== undefined) return `It is kept for ask ${node.kept}, until its victims have left.${after}`;
  if (!node.schedulable) return `It is draining, and ${runs} still run there.`;
  if (node.reserved !== undefined) return `It is reserved for ask ${node.reserved}.`;
  return node.allocations.size === 0 ? "Nothing runs there." : `It runs ${runs}.`;
}

function Usage({ node: { capacity, used, occupied } }: { readonly node: NodeModel }) {
  const taken = (type: string) => (used[type] ?? 0) + (occupied[type] ?? 0);
  const others = Object.values(occupied).some((value) => value > 0);
  return (
    <TypeTable
      caption="Capacity by type" types={typesOf(capacity, used, occupied)}
      drawing={(type) => <Bar pieces={[{ kind: "used", amount: taken(type) }]} whole={capacity[type] ?? 0} />}
      rows={[
        ["Capacity", (type) => amount(type, capacity[type] ?? 0)],
        ["Used", (type) => amount(type, used[type] ?? 0)],
        ...(others ? [["Used by others", (type: string) => amount(type, occupied[type] ?? 0)] as const] : []),
        ["Free", (type) => amount(type, (capacity[type] ?? 0) - taken(type))],
      ]}
    />
  );
}

/** How many allocations of a node are listed. */
const most = 200;

function Allocations({ node }: { readonly node: NodeModel }) {
  const list = [...node.allocations.values()];
  if (list.length === 0) return <p class="why-note">None.</p>;
  return (
    <>
      <table class="why-table">
        <caption class="sr">Allocations on {node.id}, in order of allocation</caption>
        <thead><tr><th scope="col">Ask</th><th scope="col">Resources</th><th scope="col" class="why-figure">Priority</th></tr></thead>
        <tbody>
          {list.slice(0, most).map((ask) => (
            <tr key={ask.id}>
              <th scope="row">
                <Pick kind="ask" id={ask.id} /> <small>of <Pick kind="app" id={ask.app} />{ask.placeholder && ", a placeholder"}{ask.leaves && ", leaves"}{ask.leaving && <> for <Pick kind="ask" id={ask.leaving} /></>}</small>
              </th>
              <td>{amounts(ask.resources)}</td>
              <td class="why-figure">{ask.priority}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {list.length > most && <p class="why-note">And {count(list.length - most, "allocation")} more.</p>}
    </>
  );
}
