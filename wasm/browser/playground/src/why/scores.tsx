import type { AskExplanation, Candidate } from "../engine/types";
import { Icon } from "../ui/icons";
import { Bar } from "./bar";
import { scoresUse, scoreText } from "./here-words";
import { Pick as Name } from "./parts";
import { inWords, nodeCauses } from "./words";

interface ScoresProps {
  readonly of: Pick<AskExplanation, "candidates" | "nodePolicy" | "fits">;
  /** The node that was chosen; undefined: none is yet. */
  readonly node?: string;
}

/** The first nodes in the order in which they are tried for an ask, with the scores that the policy gave them. */
export function Scores({ of: { candidates = [], nodePolicy: policy = "", fits = 0 }, node }: ScoresProps) {
  if (candidates.length === 0) return null;
  const scores = candidates.flatMap(({ score = 0, unscored }) => (unscored ? [] : [score]));
  const most = scoresUse(policy) ? 1 : Math.max(...scores, 0);
  const drawn = scores.length > 0 && (scoresUse(policy) || Math.min(...scores) >= 0) && most > 0;
  const more = fits - candidates.filter((one) => one.fits).length;
  return (
    <>
      <table class="why-table why-scores">
        <caption>The nodes in the order of policy {policy}{scoresUse(policy) ? " (built-in)" : ", a module: the highest score first"}</caption>
        <thead><tr><th scope="col">Node</th><th scope="col">Would take it</th><th scope="col" class="why-figure">Score</th></tr></thead>
        <tbody>{candidates.map((one) => <Row key={one.node} one={one} chosen={one.node === node} policy={policy} most={drawn ? most : 0} />)}</tbody>
      </table>
      {more > 0 && <p class="why-note">And {more} more that would take it.</p>}
    </>
  );
}

interface RowProps {
  readonly one: Candidate;
  readonly chosen: boolean;
  readonly policy: string;
  /** What the width of a bar stands for; 0: there is none. */
  readonly most: number;
}

function Row({ one, chosen, policy, most }: RowProps) {
  const { node = "", fits, reason, detail, score = 0, unscored } = one;
  return (
    <tr class={chosen ? "why-chosen" : undefined}>
      <th scope="row"><Name kind="node" id={node} />{chosen && <small> chosen</small>}</th>
      <td>{fits ? <span class="why-good"><Icon name="good" />yes</span> : `no: ${inWords(nodeCauses, reason, detail)}`}</td>
      <td class="why-figure">
        {most > 0 && !unscored && <Bar pieces={[{ kind: chosen ? "used" : "wanted", amount: Math.abs(score) }]} whole={most} />}
        {scoreText(policy, one) ?? "not scored"}
      </td>
    </tr>
  );
}
