import type { AskExplanation } from "../engine/types";
import { count } from "../ui/format";
import { Icon } from "../ui/icons";
import { Bar } from "./bar";
import { Holders, Mismatches, NoSuchNode } from "./node-details";
import { Part } from "./parts";
import { inWords, nodeCauses } from "./words";

interface NodeCountsProps {
  readonly e: Pick<AskExplanation, "fits" | "nodes" | "required" | "noSuchNode" | "mismatches" | "holders">;
  readonly title?: string;
  readonly question?: string;
}

/** How the nodes stand to an ask: how many would take it, and what speaks against the others. */
export function NodeCounts({ e, title = "Nodes", question = "Where would it fit?" }: NodeCountsProps) {
  const fits = e.fits ?? 0;
  const against = e.nodes ?? [];
  const all = against.reduce((sum, n) => sum + (n.nodes ?? 0), fits);
  if (all === 0) return <Part title={title}><p class="why-note">The cluster has no nodes.</p></Part>;
  return (
    <Part title={title} question={question}>
      <NoSuchNode e={e} />
      <ul class="why-counts">
        {fits > 0 && <li>
          <Bar pieces={[{ kind: "wanted", amount: fits }]} whole={all} />
          <span class="why-good"><Icon name="good" /><b>{count(fits, "node")}</b> would take it</span>
        </li>}
        {against.map(({ reason, detail, nodes = 0 }) => (
          <li key={`${reason ?? ""} ${detail ?? ""}`}>
            <Bar pieces={[{ kind: "used", amount: nodes }]} whole={all} />
            <span><b>{count(nodes, "node")}:</b> {inWords(nodeCauses, reason, detail)}</span>
          </li>
        ))}
      </ul>
      <Mismatches of={e.mismatches ?? []} />
      <Holders of={e.holders ?? []} />
    </Part>
  );
}
