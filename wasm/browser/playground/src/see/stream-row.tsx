import { actions } from "../state/run";
import { IconButton } from "../ui/button";
import { Lines } from "./stream-lines";
import { clockTimeOf, dateAndTimeOf } from "./stream-list";
import { rowHeight, type RowProps } from "./stream-rows";
import { words } from "./words";

/** A decision: a click picks what it touched. */
export function Row({ decision, index, of, reached, picked, onReach }: RowProps) {
  const text = words(decision);
  return (
    <li class="stream-row" style={{ top: `${index * rowHeight}px` }} aria-setsize={of} aria-posinset={index + 1}>
      <button type="button" class="stream-pick" data-index={index} tabIndex={reached ? 0 : -1} aria-pressed={picked} title={`${text} (${dateAndTimeOf(decision.at)}, decision ${decision.seq})`}
        onFocus={onReach} onClick={() => actions.select({ kind: "decision", id: String(decision.seq), decision })}>
        <Lines decision={decision} time={clockTimeOf(decision.at)} />
      </button>
      <IconButton icon="back" label={`Go to the moment of decision ${decision.seq}`} tabIndex={reached ? 0 : -1} onClick={() => void actions.seekDecision(decision.seq)} />
    </li>
  );
}
