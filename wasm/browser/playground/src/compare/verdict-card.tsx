import { verdictOf } from "./export";
import { agreeing, fewestSeeds } from "./evidence";
import type { Finished } from "./comparison";

export const verdictId = "compare-verdict";

/** What the comparison comes to, before all figures. */
export function VerdictCard({ finished: { outcome, names } }: { readonly finished: Finished }) {
  return (
    <section class="compare-card compare-verdict" aria-labelledby={verdictId}>
      <h2 id={verdictId} tabIndex={-1}>Verdict</h2>
      <p class="compare-sentence">{verdictOf(outcome)}</p>
      <p class="compare-note">{basis(outcome.pairs.length, names.generated)}</p>
      <Warnings finished={{ outcome, names }} />
    </section>
  );
}

/** What the sentence rests on. */
function basis(runs: number, generated: boolean): string {
  if (!generated) return "A recorded workload runs once, so nothing is known about noise: these are the differences on this workload alone.";
  if (runs === 1) return `One seed does not show how much of this is chance. Compare ${fewestSeeds} seeds or more to see it.`;
  if (runs < fewestSeeds) return "Figures are medians, with their range over the seeds.";
  const agree = agreeing(runs);
  return `Figures are medians, with their range over the seeds. A difference counts where ${agree === runs ? `all ${runs}` : `at least ${agree} of ${runs}`} seeds agree on its direction.`;
}

/** A configuration that was refused makes the rest of a comparison meaningless. */
function Warnings({ finished: { outcome } }: { readonly finished: Finished }) {
  return (
    <>
      {(["a", "b"] as const).map((name) => {
        const { refused } = outcome[name].figures;
        return refused && <p key={name} class="compare-warning" role="note">In {name.toUpperCase()} a configuration was refused, so the one before stayed in force: {refused}</p>;
      })}
    </>
  );
}
