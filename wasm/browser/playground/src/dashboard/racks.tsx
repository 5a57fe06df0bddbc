import "./racks.css";
import { useRef, useState } from "preact/hooks";
import { typesOf } from "../model/quantities";
import { useOf } from "../see/grid-use";
import { Button } from "../ui/button";
import { amount, amountOf, count, share } from "../ui/format";
import { Meter } from "../ui/meter";
import { Empty } from "../ui/panel";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { read, withQuery } from "./host/api";
import { amountsOf, type DomainObject, type NodeObject, type Page, type TopologyPage } from "./host/objects";
import { stateOf } from "./node-state";
import { nearestTile } from "./tile-keys";

/** So many domains are on a page, and so many nodes are drawn: of the others the domains alone are. */
const most = 48;
const mostNodes = 5000;
const aPage = 1000;

type Tile = Pick<NodeObject, "node" | "partition" | "schedulable" | "capacity" | "used" | "occupied" | "domain" | "reserved" | "kept">;

interface Known {
  /** The narrowest. */
  readonly level: string;
  readonly domains: readonly DomainObject[];
  readonly next: string | undefined;
  /** The nodes by their domain of that level. */
  readonly nodes: ReadonlyMap<string, readonly Tile[]>;
  readonly more: boolean;
}

/** The key of the nodes that are in no domain of the narrowest level. */
const none = "\0";

/** The narrowest domains of a partition, or of the first one that has a topology; undefined: none has. */
async function known(partition: string, from: string, abort: AbortSignal): Promise<Known | undefined> {
  const { levels } = await read<TopologyPage>(withQuery("v1/topology", { partition, limit: 1 }), abort);
  const of = partition === "" ? levels[0]?.partition ?? "" : partition;
  const names = levels.filter((one) => (one.partition ?? "") === of).map(({ level }) => level);
  const level = names.at(-1);
  if (level === undefined) return undefined;
  const [page, { nodes, more }] = await Promise.all([
    read<TopologyPage>(withQuery("v1/topology", { partition: of, level, limit: most, continue: from }), abort), readNodes(of, names, abort),
  ]);
  return { level, domains: page.items.filter((one) => (one.partition ?? "") === of), next: page.continue, nodes, more };
}

/** The nodes of a partition by their domain of the narrowest level. The first partition has no name to select by. */
async function readNodes(partition: string, levels: readonly string[], abort: AbortSignal) {
  const nodes = new Map<string, Tile[]>();
  let [from, n] = ["", 0];
  do {
    const page = await read<Page<Tile>>(withQuery("v1/nodes", {
      partition, limit: aPage, continue: from, fields: "node,partition,schedulable,capacity,occupied,used,domain,reserved,kept",
    }), abort);
    for (const node of page.items) {
      if ((node.partition ?? "") !== partition) continue;
      const path = levels.map((level) => node.domain?.[level]);
      const key = path.includes(undefined) ? none : path.join("/");
      const there = nodes.get(key);
      if (there) there.push(node);
      else nodes.set(key, [node]);
    }
    n += page.items.length;
    from = page.continue ?? "";
  } while (from !== "" && n < mostNodes);
  return { nodes, more: from !== "" };
}

interface RacksProps {
  readonly partition: string;
  readonly picked: string;
  readonly address: (node: string) => string;
}

/** The nodes in frames, one for each domain of the narrowest level, with its use. */
export function Racks({ partition, picked, address }: RacksProps) {
  const [before, setBefore] = useState<readonly string[]>([]);
  const from = before.at(-1) ?? "";
  const { value, failure, reload } = useFetched(`racks ${partition} ${from}`, async (abort) => ({ known: await known(partition, from, abort) }));
  if (!value) return failure === undefined ? <Empty>Loading…</Empty> : <Failure of={failure} onRetry={reload} />;
  const { known: found } = value;
  if (!found) return <Empty>No partition has a topology. The key topology of a partition lists its levels, such as block and rack, each with an attribute of nodes.</Empty>;
  const { domains, next, more } = found;
  return (
    <>
      {failure !== undefined && <Failure of={failure} onRetry={reload} />}
      {domains.length === 0 && !found.nodes.has(none) ? <Empty>The cluster has no nodes yet.</Empty> : <Frames known={found} picked={picked} address={address} />}
      {more && <p class="note">Of the first {mostNodes} nodes each is drawn; of the others, their domains count them.</p>}
      {(before.length > 0 || next !== undefined) && (
        <nav class="pages" aria-label="Pages of domains">
          <Button small icon="toStart" disabled={before.length === 0} onClick={() => setBefore([])}>First</Button>
          <Button small icon="back" disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>Back</Button>
          <span>Page {before.length + 1}, {count(domains.length, "domain")}</span>
          <Button small icon="step" disabled={next === undefined} onClick={() => { if (next !== undefined) setBefore([...before, next]); }}>Next</Button>
        </nav>
      )}
    </>
  );
}

function Frames({ known: { level, domains, next, nodes }, picked, address }: Pick<RacksProps, "picked" | "address"> & { readonly known: Known }) {
  const room = useRef<HTMLDivElement>(null);
  const others = next === undefined ? nodes.get(none) ?? [] : []; // after the last domain
  const drawn = [...domains.flatMap((one) => nodes.get(one.domain) ?? []), ...others];
  const stop = (drawn.find(({ node }) => node === picked) ?? drawn[0])?.node; // Tab stops at one tile; arrow keys lead to the others
  const press = (event: KeyboardEvent) => {
    const next = room.current && nearestTile([...room.current.querySelectorAll<HTMLElement>(".tile")], document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div ref={room} class="racks" role="region" aria-label="Nodes by domain" aria-describedby="racks-keys" onKeyDown={press}>
      <p id="racks-keys" class="note racks-keys">Arrow keys go from node to node, Enter opens one. The fuller a node, the higher its bar.</p>
      {domains.map((one) => <Frame key={one.domain} domain={one} nodes={nodes.get(one.domain) ?? []} picked={picked} stop={stop} address={address} />)}
      {others.length > 0 && (
        <section class="rack" aria-label={`In no ${level}`}>
          <h3>In no {level}</h3>
          <p class="rack-about">{count(others.length, "node")}</p>
          <Tiles label={`Nodes in no ${level}`} nodes={others} picked={picked} stop={stop} address={address} />
        </section>
      )}
    </div>
  );
}

interface FrameProps extends Pick<RacksProps, "picked" | "address"> {
  readonly domain: DomainObject;
  readonly nodes: readonly Tile[];
  readonly stop: string | undefined;
}

function Frame({ domain, nodes, picked, stop, address }: FrameProps) {
  const of = filledOf(domain);
  const name = domain.domain.split("/").join(" / ");
  const drained = domain.nodes - domain.schedulable;
  return (
    <section class="rack" aria-label={`${domain.level} ${name}`}>
      <h3><small>{domain.level}</small> {name} <span>{share(useOf(of, ""))}</span></h3>
      <p class="rack-about">{count(domain.nodes, "node")}{drained > 0 && `, ${drained} drained`}</p>
      <div class="rack-uses">
        {typesOf(of.capacity).map((type) => {
          const [full, taken] = [of.capacity[type] ?? 0, (of.used[type] ?? 0) + (of.occupied[type] ?? 0)];
          return <span key={type} class="use"><Meter label={`${type}: ${amount(type, taken)} of ${amountOf(type, full)}`} used={taken} full={full} max={full} /><small>{type} {amount(type, taken)} of {amountOf(type, full)}</small></span>;
        })}
      </div>
      <Tiles label={`Nodes of ${domain.level} ${name}`} nodes={nodes} picked={picked} stop={stop} address={address} />
    </section>
  );
}

function Tiles({ label, nodes, picked, stop, address }: Omit<FrameProps, "domain"> & { readonly label: string }) {
  return (
    <ul class="tiles" aria-label={label}>
      {nodes.map((node) => <li key={node.node}><NodeTile node={node} picked={node.node === picked} stop={node.node === stop} address={address(node.node)} /></li>)}
    </ul>
  );
}

function NodeTile({ node, picked, stop, address }: { readonly node: Tile; readonly picked: boolean; readonly stop: boolean; readonly address: string }) {
  const use = useOf(filledOf(node), "");
  const state = stateOf(node);
  return (
    <a class={`tile${node.schedulable ? "" : " tile-drained"}`} href={address} tabIndex={stop ? 0 : -1} aria-current={picked ? "true" : undefined}
      aria-label={`${node.node}, ${share(use)} used${state === "ready" ? "" : `, ${state}`}`} title={`${node.node}: ${share(use)} used, ${state}`}>
      <i style={{ height: `${Math.round(Math.min(1, use) * 100)}%` }} class={`tile-use tile-use-${heat(use)}`} /><span>{node.node}</span>
    </a>
  );
}

/** How full: idle, some, much, or (nearly) full. */
function heat(use: number): "idle" | "some" | "much" | "full" {
  return use <= 0 ? "idle" : use < 0.5 ? "some" : use < 0.9 ? "much" : "full";
}

function filledOf({ capacity, used, occupied }: Pick<Tile, "capacity" | "used" | "occupied">) {
  return { capacity: amountsOf(capacity), used: amountsOf(used), occupied: amountsOf(occupied) };
}
