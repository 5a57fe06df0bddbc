import type { PlacementExplanation, Trial } from "../engine/types";
import { Part } from "./parts";
import { inWords, ruleFaults } from "./words";

/** How an application came to its queue: each rule that was tried, in order. */
export function Placement({ e }: { readonly e: PlacementExplanation | undefined }) {
  if (!e) return null;
  const { tried = [] } = e;
  return (
    <Part title="How it came to its queue" question="Why in this queue?">
      {tried.length === 0 ? <p class="why-note">{e.text}</p> : (
        <ol class="why-list">{tried.map((one, i) => <li key={i}><b>{ruleName(one)}</b>: {outcome(one, e)}</li>)}</ol>
      )}
      {tried.length > 0 && e.recovery && <p class="why-note">No rule placed it. It runs already, so it is in the recovery queue.</p>}
    </Part>
  );
}

function ruleName({ rule, kind = "", value }: Trial): string {
  return rule ? `Rule ${rule}, ${kind}${value ? ` ${value}` : ""}` : "The fallback, root.default";
}

function outcome({ fault, yield: yields = "", at, parent }: Trial, { queue = "" }: PlacementExplanation): string {
  if (!fault) return `it goes to ${yields || queue}`;
  const where = at ?? yields;
  return `${parent ? "its parent rule: " : ""}${yields && at ? `${yields}: ` : ""}${where ? `${where} ` : ""}${inWords(ruleFaults, fault)}`;
}
