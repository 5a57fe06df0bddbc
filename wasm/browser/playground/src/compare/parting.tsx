import type { Decision } from "../engine/types";
import { Times, second } from "../model/times";
import { timeOf } from "../see/stream-list";
import { words } from "../see/words";
import { actions } from "../state/run";
import { Button } from "../ui/button";
import { count } from "../ui/format";
import { go } from "../ui/route";
import type { SideName } from "./choices";
import type { Parting } from "./partings";
import type { Outcome, Run } from "./run";

/** The first decision where the two part, side by side, with what both did just before. */
export function PartingView({ outcome }: { readonly outcome: Outcome }) {
  const { parting, same, pairs } = outcome;
  if (!parting) {
    return (
      <p class="compare-same">
        {pairs.length > 1 ? `No difference: the runs of all ${pairs.length} seeds make the same decisions.` : `No difference: all ${count(same, "decision")} of both runs are the same.`}
      </p>
    );
  }
  return (
    <section aria-labelledby="compare-parting">
      <h2 id="compare-parting">First difference</h2>
      <p class="compare-lead">{pairs.length > 1 && `${outcome.a.scenario.title}. `}The first {count(same, "decision")} are the same. This is the first that differs.</p>
      <div class="compare-parting">
        <SidePart name="a" parting={parting} run={outcome.a} />
        <SidePart name="b" parting={parting} run={outcome.b} />
      </div>
    </section>
  );
}

function SidePart({ name, parting, run }: { readonly name: SideName; readonly parting: Parting; readonly run: Run }) {
  const label = name.toUpperCase();
  const decision = parting[name];
  return (
    <div class={`compare-part compare-part-${name}`}>
      <h3>{label}</h3>
      <ol>
        {parting.common.map((d) => <DecisionLine key={d.seq} decision={d} />)}
        {decision ? <DecisionLine decision={decision} first /> : <li class="compare-first">no more decisions</li>}
      </ol>
      <Button small icon="open" onClick={() => void open(run, label, decision ?? parting.common.at(-1))}>Open {label} in the cluster at this moment</Button>
    </div>
  );
}

function DecisionLine({ decision, first }: { readonly decision: Decision; readonly first?: boolean }) {
  return (
    <li class={first ? "compare-first" : undefined} aria-current={first ? "true" : undefined}>
      <span class="compare-when">{timeOf(decision.at)} · {decision.seq}</span> {words(decision)}
    </li>
  );
}

/** Plays the scenario up to a decision, and shows it picked. */
async function open({ scenario }: Run, label: string, decision: Decision | undefined): Promise<void> {
  const opened = await actions.open({ ...scenario, title: `${scenario.title}, set-up ${label}`, begin: decision ? secondsOf(scenario.journal, decision.at) : undefined });
  if (!opened) return;
  go("cluster");
  if (!decision) return;
  await actions.seekDecision(decision.seq);
  actions.select({ kind: "decision", id: String(decision.seq), decision });
}

/** Absolute times count from the first line of the journal. */
function secondsOf(journal: string, at: string): number {
  const times = new Times();
  times.of(/"at":"([^"]*)"/.exec(journal)?.[1] ?? "0s");
  return times.of(at) / second;
}
