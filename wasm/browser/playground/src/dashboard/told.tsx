import type { Decision } from "../engine/types";
import { kindIcons } from "../see/kind-icons";
import { kindOf, words } from "../see/words";
import { Icon } from "../ui/icons";
import { Empty } from "../ui/panel";
import { timeOfDay } from "./host/times";
import { connection } from "./live";
import { addressOf } from "./route";

/** Where the page has heard of no decision: whether there are none, or it is not connected. */
export function NoDecisions() {
  const { state } = connection.value;
  return <Empty>{state === "live" ? "No decisions yet." : state === "connecting" ? "Connecting to the host…" : "Not known: the page is not connected to the host."}</Empty>;
}

/** Decisions, the newest first. */
export function Told({ of }: { readonly of: readonly Decision[] }) {
  return (
    <ol class="rows told">
      {[...of].reverse().map((d) => (
        <li key={d.seq}>
          <time dateTime={d.at}>{timeOfDay(d.at)}</time>
          <span class={`stream-kind stream-${kindOf(d)}`}><Icon name={kindIcons[kindOf(d)]} /></span>
          <a href={addressOf("decisions", String(d.seq))}>{words(d)}</a>
        </li>
      ))}
    </ol>
  );
}
