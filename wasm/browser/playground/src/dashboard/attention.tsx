import { kindOf } from "../see/words";
import type { QueueDump } from "../engine/types";
import { count, whole } from "../ui/format";
import { Icon } from "../ui/icons";
import { Panel } from "../ui/panel";
import { Part } from "../why/parts";
import { read } from "./host/api";
import { useFetched } from "./fetched";
import { recent } from "./live";
import { readFolder } from "./policies/files";
import { Told } from "./told";
import { troublesOf, type Condition, type Stats, type Trouble } from "./troubles";

/** Some of it changes without a decision: so many milliseconds apart it is looked at. */
const beat = 5000;
const lastRefusals = 6;

/** Reads how the host does. What cannot be read is left out: the rest is told anyway. */
async function condition(abort: AbortSignal): Promise<Omit<Condition, "queues">> {
  const orNothing = <T,>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined);
  const [stats, folder] = await Promise.all([orNothing(read<Stats>("v1/stats", abort)), orNothing(readFolder(abort))]);
  return { stats, policies: folder?.items };
}

/** What is wrong, and what was refused, as far as the page has heard of it. */
export function Attention({ queues }: { readonly queues: readonly QueueDump[] }) {
  const { value } = useFetched("condition", condition, beat);
  const troubles = value ? troublesOf({ ...value, queues }) : [];
  const refused = recent.value.filter((d) => kindOf(d) === "refused");
  return (
    <Panel title="Needs attention" class="attention">
      {value && troubles.length === 0 && <p class="attention-none"><Icon name="good" /> No problems with the host, policies, nodes or queues.</p>}
      {troubles.length > 0 && <ul class="rows">{troubles.map((one) => <Row key={one.text} of={one} />)}</ul>}
      {refused.length > 0 && <Part title={`${count(refused.length, "fault or refusal", "faults and refusals")} in the last ${whole(recent.value.length)} decisions`}>
        <Told of={refused.slice(-lastRefusals)} />
      </Part>}
    </Panel>
  );
}

function Row({ of: { grave, text, address } }: { readonly of: Trouble }) {
  return (
    <li class={grave ? "trouble trouble-grave" : "trouble"}>
      <Icon name={grave ? "bad" : "warn"} />
      {address === "" ? <span>{text}</span> : <a href={address}>{text}</a>}
    </li>
  );
}
