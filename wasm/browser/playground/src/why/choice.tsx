import type { PreemptionExplanation, Victim } from "../engine/types";
import { duration } from "../ui/format";
import { Branches } from "./branches";
import { Facts, Pick, Picks } from "./parts";
import { Stands } from "./stand";
import { inWords, rights, worse } from "./words";

/** The victims of an ask: where, why these, and the next best set. */
export function Choice({ e, now }: { readonly e: PreemptionExplanation; readonly now: number }) {
  const { node, victims = [], next, kind, due = 0, observed, approximate } = e;
  const chosen = e.verdict === "waits-for-victims";
  return (
    <>
      <Facts facts={[
        ["Node", node && <Pick kind="node" id={node} />],
        [chosen ? "Yet to leave" : "Victims", victims.length > 0 ? <Picks kind="ask" ids={victims.map((v) => v.id)} /> : "none"],
        ["Right", kind && inWords(rights, kind, e.id)],
        ["When", !chosen && due > now && `once it has waited for its delay, in ${duration(due - now)}`],
        ["Only observed", observed && !chosen && "the partition only observes: nothing will be preempted"],
        ["Next best", next && <><Picks kind="ask" ids={next.victims ?? []} /> on <Pick kind="node" id={next.node ?? ""} />: {inWords(worse, next.worse)}</>],
        ["Cut short", approximate && "the node has too many allocations to try every set: a better one may exist"],
      ]} />
      {!chosen && victims.length > 0 && <p class="why-note">Of all lawful sets, this one does the least harm.</p>}
      {alike(victims).map((group) => <Victims key={group[0]?.id} of={group} e={e} />)}
      {kind !== "guarantee" && <Stands findings={e.laws ?? []} />}
    </>
  );
}

/** Victims that the laws see alike: one drawing says it for all of them. */
function alike(victims: readonly Victim[]): Victim[][] {
  const groups = new Map<string, Victim[]>();
  for (const v of victims) {
    const key = JSON.stringify([v.queue, v.kind, v.common, v.over]);
    groups.set(key, [...(groups.get(key) ?? []), v]);
  }
  return [...groups.values()];
}

function Victims({ of, e }: { readonly of: readonly Victim[]; readonly e: PreemptionExplanation }) {
  const highest = of.reduce((a, b) => ((b.seen ?? 0) > (a.seen ?? 0) ? b : a));
  const entitled = (e.laws ?? []).filter((f) => f.law === "law-4" && highest.kind === "guarantee");
  return (
    <div class="why-group">
      <ul class="why-victims">
        {of.map((v) => (
          <li key={v.id}>
            <Pick kind="ask" id={v.id} /> of <Pick kind="app" id={v.app ?? ""} />, own priority {v.priority ?? 0}
            {v.originator && <>; an originator, and nothing else suffices</>}
            {v.optedOut && <>; it asked not to be preempted, and nothing else suffices</>}
          </li>
        ))}
      </ul>
      <Branches why={{ victim: highest, for: e.id, forQueue: e.queue, entitled }} alike={of.map((v) => v.id)} />
    </div>
  );
}
