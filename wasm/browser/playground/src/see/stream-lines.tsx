import type { Decision } from "../engine/types";
import { Icon } from "../ui/icons";
import { kindIcons } from "./kind-icons";
import { kindOf, twoLines } from "./words";

/** What a row of decisions says: when, of what kind, what was decided, and below it why or where. */
export function Lines({ decision, time }: { readonly decision: Decision; readonly time: string }) {
  const kind = kindOf(decision);
  const [what, why] = twoLines(decision);
  return (
    <>
      <time>{time}</time>
      <span class={`stream-kind stream-${kind}`}><Icon name={kindIcons[kind]} /></span>
      <span class="stream-words"><span>{what}</span>{why !== "" && <> <small>{why}</small></>}</span>
    </>
  );
}
