import { kindOf } from "../see/words";
import type { QueueDump } from "../engine/types";
import { count, whole } from "../ui/format";
import { Icon } from "../ui/icons";
import { Empty, Panel } from "../ui/panel";
import { Part } from "../why/parts";
import { givenUp, read, wordsOf } from "./host/api";
import { useFetched } from "./fetched";
import { recent } from "./live";
import { readFolder } from "./policies/files";
import { Told } from "./told";
import { troublesOf, type Condition, type Stats, type Trouble } from "./troubles";

/** Some of it changes without a decision: so many milliseconds apart it is looked at. */
const beat = 5000;
const lastRefusals = 6;

/** What could not be read, and why. */
interface Unread {
  readonly what: string;
  readonly why: unknown;
}

interface Seen extends Omit<Condition, "queues"> {
  readonly unread: readonly Unread[];
}

/** Reads how the host does. What cannot be read is named: the rest is told anyway. */
async function condition(abort: AbortSignal): Promise<Seen> {
  const unread: Unread[] = [];
  const orNamed = <T,>(what: string, answer: Promise<T>): Promise<T | undefined> => answer.catch((why: unknown) => {
    if (givenUp(why)) throw why;
    unread.push({ what, why });
    return undefined;
  });
  const [stats, folder] = await Promise.all([orNamed("the state of the host", read<Stats>("v1/stats", abort)), orNamed("the policies", readFolder(abort))]);
  return { stats, policies: folder?.items, unread };
}

/** What is wrong, and what was refused, as far as the page has heard of it. Without queues, failure says why there are none yet. */
export function Attention({ queues, failure }: { readonly queues: readonly QueueDump[] | undefined; readonly failure: unknown }) {
  const { value } = useFetched("condition", condition, beat);
  const troubles = value ? troublesOf({ ...value, queues: queues ?? [] }) : [];
  const unread = [...value?.unread ?? [], ...(queues === undefined && failure !== undefined ? [{ what: "the queues", why: failure }] : [])];
  const loading = value === undefined || queues === undefined && failure === undefined;
  const refused = recent.value.filter((d) => kindOf(d) === "refused");
  return (
    <Panel title="Needs attention" class="attention">
      {loading && <Empty>Loading…</Empty>}
      {!loading && troubles.length === 0 && unread.length === 0 && <p class="attention-none"><Icon name="good" /> No problems with the host, policies, nodes or queues.</p>}
      {troubles.length > 0 && <ul class="rows">{troubles.map((one) => <Row key={one.text} of={one} />)}</ul>}
      {!loading && unread.length > 0 && <ul class="rows">{unread.map((one) => <Row key={one.what} of={unknown(one)} />)}</ul>}
      {refused.length > 0 && <Part title={`${count(refused.length, "fault or refusal", "faults and refusals")} in the last ${whole(recent.value.length)} decisions`}>
        <Told of={refused.slice(-lastRefusals)} />
      </Part>}
    </Panel>
  );
}

/** Says what is not known, since nothing that is said of it does not mean that nothing is wrong with it. */
function unknown({ what, why }: Unread): Trouble {
  return { grave: false, text: `Not known, because the page could not read ${what}: ${wordsOf(why)}`, address: "" };
}

function Row({ of: { grave, text, address } }: { readonly of: Trouble }) {
  return (
    <li class={grave ? "trouble trouble-grave" : "trouble"}>
      <Icon name={grave ? "bad" : "warn"} />
      {address === "" ? <span>{text}</span> : <a href={address}>{text}</a>}
    </li>
  );
}
