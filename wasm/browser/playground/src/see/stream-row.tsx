import { actions } from "../state/run";
import { IconButton } from "../ui/button";
import { Icon } from "../ui/icons";
import { kindIcons } from "./kind-icons";
import { timeOf } from "./stream-list";
import { rowHeight, type RowProps } from "./stream-rows";
import { kindOf, words } from "./words";

/** A decision: a click picks what it touched. */
export function Row({ decision, index, of, reached, picked, onReach }: RowProps) {
  const kind = kindOf(decision);
  const text = words(decision);
  return (
    <li class="stream-row" style={{ top: `${index * rowHeight}px` }} aria-setsize={of} aria-posinset={index + 1}>
      <button type="button" class="stream-pick" data-index={index} tabIndex={reached ? 0 : -1} aria-pressed={picked} title={`${text} (${decision.at}, decision ${decision.seq})`}
        onFocus={onReach} onClick={() => actions.select({ kind: "decision", id: String(decision.seq), decision })}>
        <time>{timeOf(decision.at)}</time>
        <span class={`stream-kind stream-${kind}`}><Icon name={kindIcons[kind]} /></span>
        <span class="stream-words">{text}</span>
      </button>
      <IconButton icon="back" label={`Go to the moment of decision ${decision.seq}`} tabIndex={reached ? 0 : -1} onClick={() => void actions.seekDecision(decision.seq)} />
    </li>
  );
}
