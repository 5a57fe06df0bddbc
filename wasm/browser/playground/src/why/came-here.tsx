import { useCallback, useEffect, useState } from "preact/hooks";
import type { AskExplanation } from "../engine/types";
import { actions } from "../state/run";
import { playing } from "../state/store";
import type { Placed, Waited } from "../state/placed";
import { Button } from "../ui/button";
import { count, duration } from "../ui/format";
import { Part } from "./parts";
import { Stretches } from "./stretches";
import { WhyHere } from "./why-here";
import { causesOf, inWords, nodeCauses } from "./words";

/**
 * How an ask came to its node. The session looks back for it: at once where nothing plays, else when it is asked for. Known: what
 * else tells one placement of the ask from another.
 */
export function CameHere({ id, known = 0 }: { readonly id: string; readonly known?: number }) {
  const [wanted, setWanted] = useState(!playing.peek());
  const [found, setFound] = useState<{ readonly placed: Placed | undefined }>();
  useEffect(() => {
    if (!wanted) return undefined;
    let here = true;
    void actions.whyHere(id).then((placed) => { if (here) setFound({ placed }); });
    return () => { here = false; };
  }, [id, known, wanted]);
  const want = useCallback(() => setWanted(true), []);
  if (!wanted) {
    return <Part title="Why on this node" question="Why on this node?" onQuestion={want}><p class="why-tools"><Button small onClick={want}>Look back</Button></p></Part>;
  }
  if (!found?.placed) return null;
  const { placed } = found;
  return (
    <>
      <WhyHere before={placed.before} node={placed.node} />
      <Wait key={placed.seq} of={placed} />
    </>
  );
}

/** How long an ask waited, and for what. The causes over time take a number of looks, so they are asked for. */
function Wait({ of }: { readonly of: Placed }) {
  const [heard, setHeard] = useState<{ readonly waited: readonly Waited[] | undefined }>();
  const length = of.at - of.submitted;
  const put = useCallback(() => {
    if (of.at > of.submitted) void actions.waitedFor(of).then((waited) => { setHeard({ waited }); });
  }, [of]);
  return (
    <Part title="How long it waited" question="What did it wait for?" onQuestion={put}>
      {length <= 0
        ? <p>Not at all: it was placed in the instant in which it was submitted, at {duration(of.at)}.</p>
        : <p>It waited {duration(length)}: submitted at {duration(of.submitted)}, placed at {duration(of.at)}.</p>}
      {length > 0 && !heard && <p class="why-tools"><Button small onClick={put}>Show the causes over time</Button></p>}
      {heard && <Causes of={of} waited={heard.waited ?? []} />}
    </Part>
  );
}

/** What spoke against the nodes. */
function against({ nodes = [] }: AskExplanation): string {
  return nodes.map(({ reason, detail, nodes: n = 0 }) => `${count(n, "node")}: ${inWords(nodeCauses, reason, detail)}`).join("; ");
}

function Causes({ of, waited }: { readonly of: Placed; readonly waited: readonly Waited[] }) {
  if (waited.length === 0) return <p class="why-note">The causes are not known at this moment. Step forward or back, and ask again.</p>;
  return <Stretches whole={of.at - of.submitted} of={waited.map(({ from, to, e }) => ({
    from, to, cause: causesOf(e.reasons ?? [], e.lacks), detail: e.reasons?.includes("no-node-fits") ? against(e) : undefined,
  }))} />;
}
