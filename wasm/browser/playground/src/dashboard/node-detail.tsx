import { typesOf } from "../model/quantities";
import { amount, share } from "../ui/format";
import { Bar } from "../why/bar";
import { Facts, Part, Pick, useHeadline } from "../why/parts";
import { TypeTable } from "../why/type-table";
import type { Amounts } from "../engine/types";
import { AskTable } from "./app-detail";
import { part, read } from "./host/api";
import { amountsOf, type AskObject, type NodeObject, type Page } from "./host/objects";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { domainsOf, stateOf } from "./node-state";
import { addressOf } from "./route";

const listed = 50;

/** A node: what is used of it, and by which allocations. */
export function NodeDetail({ id }: { readonly id: string }) {
  const { value, failure, reload } = useFetched(`node ${id}`, async (abort) => {
    const [node, asks] = await Promise.all([read<NodeObject>(`v1/nodes/${part(id)}`, abort), read<Page<AskObject>>(`v1/asks?node=${part(id)}&limit=${listed}`, abort)]);
    return { node, asks: asks.items.filter((ask) => ask.state !== "pending") };
  });
  if (!value) return failure === undefined ? null : <Failure of={failure} onRetry={reload} />;
  return <Known {...value} />;
}

function Known({ node, asks }: { readonly node: NodeObject; readonly asks: readonly AskObject[] }) {
  const [capacity, used, occupied] = [amountsOf(node.capacity), amountsOf(node.used), amountsOf(node.occupied)];
  const of = (set: Amounts, type: string) => set[type] ?? 0;
  useHeadline(node.schedulable ? "" : "It is drained: it keeps its allocations, and accepts no asks.");
  return (
    <>
      <Facts facts={[
        ["State", stateOf(node)],
        ["Partition", node.partition],
        ["Domain", domainsOf(node)],
        ["Reserved for", node.reserved && <Pick kind="ask" id={node.reserved} />],
        ["Kept for", node.kept && <Pick kind="ask" id={node.kept} />],
        ["Attributes", Object.entries(node.attributes).map(([key, is]) => `${key}=${is}`).join(", ")],
      ]} />
      <TypeTable caption="Use by type" types={typesOf(capacity, used, occupied)}
        drawing={(type) => <Bar pieces={[{ kind: "used", amount: of(used, type) }, { kind: "missing", amount: of(occupied, type) }]} whole={of(capacity, type)} />}
        rows={[
          ["Capacity", (type) => amount(type, of(capacity, type))],
          ["Used", (type) => amount(type, of(used, type))],
          ["Used by others", (type) => amount(type, of(occupied, type))],
          ["Share", (type) => share(of(capacity, type) > 0 ? (of(used, type) + of(occupied, type)) / of(capacity, type) : 0)],
        ]} />
      <Part title="Its allocations" question="What runs there?">
        {asks.length === 0 ? <p class="why-note">None.</p> : <AskTable asks={asks} placed={false} />}
        {node.allocations.length > asks.length && <p class="why-note"><a href={addressOf("asks", "", { node: node.node, state: "all" })}>All {node.allocations.length}</a></p>}
      </Part>
    </>
  );
}
