import type { Decision } from "../engine/types";
import { kindIcons } from "../see/kind-icons";
import { kindOf, words } from "../see/words";
import { Icon } from "../ui/icons";
import { timeOfDay } from "./host/times";
import { addressOf } from "./route";

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
