import { useEffect, useState } from "preact/hooks";
import { SpansChart, type Opened } from "../spans/chart";
import type { Span, Spans, WindowSpan } from "../spans/span";
import { SpansTable } from "../spans/table";
import { count } from "../ui/format";
import { Empty } from "../ui/panel";
import { Failure } from "./failure";
import { useFetched } from "./fetched";
import { Problem, read, withQuery } from "./host/api";
import type { AskObject, NodeObject, Page } from "./host/objects";
import { endedSpans, plannedSpan, runningSpan, windowSpan } from "./host/spans";
import { hostNow, midnight, tickOf, timeOfDay } from "./host/times";
import { recent } from "./live";
import { addressOfPicked, go } from "./route";

/** So many nodes and allocations are drawn, and so many pending asks looked through for planned starts. */
const [mostNodes, mostAsks, mostPending] = [5000, 20_000, 5000] as const;
const aPage = 1000;

interface Known {
  readonly nodes: readonly string[];
  readonly allocated: readonly AskObject[];
  readonly planned: readonly Span[];
  readonly windows: readonly WindowSpan[];
  /** What was left out, in words; "": nothing. */
  readonly left: string;
}

interface Wanted<T, Of> {
  readonly path: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly most: number;
  /** Undefined: it is left out. */
  readonly take: (one: T) => Of | undefined;
}

/** A list up to a bound; more: there is more of it. */
async function all<T, Of>({ path, filters, most, take }: Wanted<T, Of>, abort: AbortSignal): Promise<{ readonly items: readonly Of[]; readonly more: boolean }> {
  const items: Of[] = [];
  let n = 0;
  let from = "";
  do {
    const page = await read<Page<T>>(withQuery(path, { ...filters, limit: aPage, continue: from }), abort);
    for (const one of page.items) {
      const taken = take(one);
      if (taken !== undefined) items.push(taken);
    }
    n += page.items.length;
    from = page.continue ?? "";
  } while (from !== "" && n < most);
  return { items, more: from !== "" };
}

const asIs = (ask: AskObject) => ask;

async function known(partition: string, abort: AbortSignal): Promise<Known> {
  const [nodes, allocated, leaving, pending, windows] = await Promise.all([
    all({ path: "v1/nodes", filters: { partition, fields: "node" }, most: mostNodes, take: ({ node }: Pick<NodeObject, "node">) => node }, abort),
    all({ path: "v1/asks", filters: { state: "allocated" }, most: mostAsks, take: asIs }, abort),
    all({ path: "v1/asks", filters: { state: "leaving" }, most: mostAsks, take: asIs }, abort),
    all({ path: "v1/asks", filters: { state: "pending" }, most: mostPending, take: plannedSpan }, abort),
    all({ path: "v1/windows", filters: { partition }, most: aPage, take: windowSpan }, abort).catch((thrown: unknown) => {
      if (thrown instanceof Problem && (thrown.status === 403 || thrown.status === 404)) return { items: [], more: false }; // an older host has none
      throw thrown;
    }),
  ]);
  const left = [nodes.more && `nodes beyond ${count(mostNodes, "node")}`, allocated.more && `allocations beyond ${count(mostAsks, "ask")}`, pending.more && `planned starts beyond ${count(mostPending, "pending ask")}`];
  return {
    nodes: nodes.items, allocated: [...allocated.items, ...leaving.items], planned: pending.items, windows: windows.items, left: left.filter(Boolean).join(", "),
  };
}

interface NodesOverTimeProps {
  readonly partition: string;
  /** The node that is picked. */
  readonly picked: string;
  readonly table: boolean;
  readonly node: (name: string) => string;
}

/** The nodes over time: what has ended since the page was opened, what runs until when, planned starts and windows. */
export function NodesOverTime({ partition, table, node }: NodesOverTimeProps) {
  const { value, failure, reload } = useFetched(`over time ${partition}`, (abort) => known(partition, abort), 10_000);
  const now = useNow();
  if (!value) return failure === undefined ? <Empty>Loading…</Empty> : <Failure of={failure} onRetry={reload} />;
  if (value.nodes.length === 0) return <Empty>The cluster has no nodes yet.</Empty>;
  const of = spansOf(value, now);
  const open = ({ kind, id }: Opened) => go(kind === "node" ? node(id) : addressOfPicked({ kind, id }));
  return (
    <>
      {failure !== undefined && <Failure of={failure} onRetry={reload} />}
      {of.spans.length === 0 && of.windows.length === 0 && <p class="note">Nothing runs, and nothing is planned. Promised ends come with a walltime, planned starts with the key backfill.</p>}
      {table ? <SpansTable of={of} say={say} onOpen={open} /> : <SpansChart of={of} say={say} tick={tick} zero={midnight() * 1e6} onOpen={open} />}
      {value.left !== "" && <p class="note">Left out: {value.left}.</p>}
    </>
  );
}

const say = (at: number) => timeOfDay(at / 1e6);
const tick = (at: number) => tickOf(at / 1e6);

/** On the nodes that are shown. */
function spansOf({ nodes, allocated, planned, windows }: Known, now: number): Spans {
  const there = new Set(nodes);
  const spans = [...endedSpans(recent.value), ...allocated.map((ask) => runningSpan(ask, now)), ...planned];
  return { now, nodes, spans: spans.filter((one) => there.has(one.node)), windows };
}

/** Nanoseconds since 1970 by the clock of the host, to a second or two. */
function useNow(): number {
  const [now, setNow] = useState(hostNow());
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) setNow(hostNow()); }, 2000);
    return () => clearInterval(timer);
  }, []);
  return now * 1e6;
}
