import { effect } from "@preact/signals";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import type { PreemptionExplanation } from "../engine/types";
import { overlay, status } from "../state/store";
import { duration } from "../ui/format";
import { Button } from "../ui/button";
import { Choice } from "./choice";
import { Part } from "./parts";
import { explainPreemption } from "./questions";
import { Refusal } from "./refusal";
import { inWords, verdicts } from "./words";

/** A dry run, and the moment it was made at. */
interface Trial {
  readonly e: PreemptionExplanation | undefined;
  readonly now: number;
  readonly seq: number;
}

/** The victims that an ask would preempt: on request, and drawn on the grid until the cluster changes. */
export function DryRun({ ask, verdict }: { readonly ask: string; readonly verdict: string | undefined }) {
  const [trial, setTrial] = useState<Trial>();
  const [passed, setPassed] = useState(false);
  const here = useRef(true);
  useEffect(() => () => {
    here.current = false;
    clearOverlay();
  }, []);
  useEffect(() => trial && effect(() => {
    if (status.value?.now === trial.now && status.value.seq === trial.seq) return;
    setPassed(true);
    clearOverlay();
  }), [trial]);
  const run = async () => {
    const { now = 0, seq = 0 } = status.value ?? {};
    const e = await explainPreemption(ask);
    if (!here.current) return;
    setTrial({ e, now, seq });
    setPassed(false);
    if (e) show(e);
  };
  const put = useCallback(() => void run(), [ask]);
  return (
    <Part title="Which allocations it would preempt" question="Which allocations would it preempt?" onQuestion={put}>
      {!trial && <p class="why-note">{verdict}</p>}
      <p class="why-tools">
        <Button small onClick={() => void run()}>{trial ? "Ask again" : "Try it"}</Button>
        {trial?.e && !passed && <Shown e={trial.e} />}
      </p>
      {trial && <Answer ask={ask} trial={trial} passed={passed} />}
    </Part>
  );
}

function Answer({ ask, trial: { e, now }, passed }: { readonly ask: string; readonly trial: Trial; readonly passed: boolean }) {
  if (!e) return <p class="why-note">There is no answer: {ask} no longer waits.</p>;
  const takes = takesVictims(e);
  return (
    <div class="why-trial">
      {passed && <p class="why-passed">State at {duration(now)}. The cluster has changed since.</p>}
      <p class="why-verdict">{inWords(verdicts, e.verdict)}</p>
      {takes ? <Choice e={e} now={now} /> : <Refusal e={e} />}
    </div>
  );
}

/** Has the grid show what a dry run found, or no longer. */
function Shown({ e }: { readonly e: PreemptionExplanation }) {
  if (!takesVictims(e)) return null;
  return overlay.value
    ? <Button small kind="quiet" onClick={clearOverlay}>Clear from the grid</Button>
    : <Button small kind="quiet" onClick={() => { show(e); }}>Show on the grid</Button>;
}

function takesVictims({ verdict }: PreemptionExplanation): boolean {
  return verdict === "preempts" || verdict === "waits-for-victims";
}

function show(e: PreemptionExplanation): void {
  if (takesVictims(e)) overlay.value = { node: e.node ?? "", ask: e.id, victims: (e.victims ?? []).map((v) => v.id) };
}

function clearOverlay(): void {
  overlay.value = undefined;
}
