import { whyHere, type Before } from "./here-words";
import { NodeCounts } from "./node-counts";
import { Part } from "./parts";
import { Scores } from "./scores";

interface WhyHereProps {
  readonly before: Before;
  /** Where it was placed. */
  readonly node: string;
}

/** Why an ask went to its node: the nodes that came first, how the policy scored them, and what ruled out the others. */
export function WhyHere({ before, node }: WhyHereProps) {
  const { nodes = [], fits = 0 } = before;
  return (
    <>
      <Part title="Why on this node" question="Why on this node?">
        <p class="why-verdict">{whyHere(before, node)}</p>
        <Scores of={before} node={node} />
      </Part>
      {nodes.length > 0 && <NodeCounts e={{ fits, nodes }} title="All nodes at that moment" question="What ruled out the others?" />}
    </>
  );
}
