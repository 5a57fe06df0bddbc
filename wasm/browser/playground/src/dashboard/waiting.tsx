import { count } from "../ui/format";
import { Empty, Panel } from "../ui/panel";
import { never } from "../why/never";
import { neverHeadline } from "../why/reasons";
import { waitsBecause } from "../why/words";
import type { QueueDump } from "../engine/types";
import { part, Problem, read, readIfAllowed, withQuery } from "./host/api";
import { askExplanation } from "./host/explanations";
import type { AskObject, Page } from "./host/objects";
import { ago } from "./host/times";
import { useFetched } from "./fetched";
import { Name } from "./name";
import { addressOf } from "./route";

/** So many of the queues with most asks that wait are listed. */
const mostWaiting = 8;
/** So many of them are asked why: each is a question to the scheduler. */
const mostAsked = 4;
/** Among so many asks of a queue the one is sought that has waited longest. */
const mostSought = 200;

interface Longest {
  readonly ask: string;
  readonly submitted: string;
  /** "": that is not told. */
  readonly because: string;
}

/** The ask of a queue that has waited longest, and why; undefined: nothing waits any more. */
async function longestIn(queue: string, abort: AbortSignal): Promise<Longest | undefined> {
  const { items } = await read<Page<Pick<AskObject, "ask" | "submitted">>>(withQuery("v1/asks", { queue, state: "pending", limit: mostSought, fields: "ask,submitted" }), abort);
  const first = items.reduce<typeof items[number] | undefined>((least, one) => (least && Date.parse(least.submitted) <= Date.parse(one.submitted) ? least : one), undefined);
  return first && { ...first, because: await reasonOf(first.ask, abort) };
}

async function reasonOf(ask: string, abort: AbortSignal): Promise<string> {
  try {
    const found = await readIfAllowed<Record<string, unknown>>(`v1/asks/${part(ask)}/explanation`, abort);
    const e = found && askExplanation(found);
    if (!e?.pending) return "";
    const against = never(e);
    return against ? neverHeadline(against) : waitsBecause(e.reasons ?? [], { lacks: e.lacks });
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.status === 404) return ""; // it has gone meanwhile
    throw thrown;
  }
}

/** The queues in which most asks wait, and why. Without queues, failure says why there are none yet. */
export function Waiting({ queues, failure }: { readonly queues: readonly QueueDump[] | undefined; readonly failure: unknown }) {
  const all = (queues ?? []).filter(({ leaf, pendingAsks = 0 }) => leaf && pendingAsks > 0).sort((a, b) => (b.pendingAsks ?? 0) - (a.pendingAsks ?? 0));
  const waiting = all.slice(0, mostWaiting);
  const asked = waiting.slice(0, mostAsked).map(({ path }) => path).sort();
  const { value: longest } = useFetched(`waiting ${asked.join(" ")}`, async (abort) => new Map(await Promise.all(asked.map(async (path) => [path, await longestIn(path, abort)] as const))));
  return (
    <Panel title="Waiting asks" class="waiting" tools={all.length > mostWaiting && <a href={addressOf("queues")}>All {count(all.length, "queue")}</a>}>
      {waiting.length === 0 ? <Empty>{queues ? "No ask waits." : failure === undefined ? "Loading…" : "Not known: the page could not read the queues."}</Empty> : (
        <ul class="rows">
          {waiting.map(({ path, pendingAsks = 0 }) => (
            <li key={path}>
              <p><Name kind="queue" id={path} /> <a class="pill" href={addressOf("asks", "", { queue: path, state: "pending" })}><span>{count(pendingAsks, "ask")}</span></a></p>
              <Because of={longest?.get(path)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Because({ of }: { readonly of: Longest | undefined }) {
  return of ? <p class="because"><small><Name kind="ask" id={of.ask} /> has waited {ago(of.submitted)}. {of.because}</small></p> : null;
}
