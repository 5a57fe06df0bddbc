import "./compare.css";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../ui/button";
import { cancelComparison, finished, formOpen, runComparison, running, trouble } from "./comparison";
import { Modules } from "./modules";
import { Results } from "./results";
import { SetupForm } from "./setup-form";
import { VerdictCard, verdictId } from "./verdict-card";
import { WorkloadForm } from "./workload-form";

const formId = "compare-form";

/** Two policies on one workload, side by side; and the modules that may be such policies. */
export function Compare() {
  const done = finished.value;
  const seen = useRef(done);
  useEffect(() => {
    if (done !== seen.current) focusVerdict();
    seen.current = done;
  }, [done]);
  return (
    <div class="compare">
      <header>
        <h2>Compare policies</h2>
        <p class="compare-lead">
          One workload is scheduled under set-up A and under set-up B, each in a scheduler of its own. The cluster continues meanwhile.
        </p>
      </header>
      {done && <VerdictCard finished={done} />}
      <div class="compare-card">
        {done && <Compared {...done.names} />}
        <div id={formId} class="compare-form" hidden={!formOpen.value}>
          <div class="compare-setups">
            <WorkloadForm />
            <SetupForm name="a" />
            <SetupForm name="b" />
          </div>
          <Running />
        </div>
      </div>
      {done && <Results finished={done} />}
      <Modules />
    </div>
  );
}

/** Takes the focus to the verdict from the form, which is folded away, or from where the page put it since its button was gone. */
function focusVerdict(): void {
  const [verdict, form, focused] = [document.getElementById(verdictId), document.getElementById(formId), document.activeElement];
  if (focused?.contains(verdict) || form?.contains(focused)) verdict?.focus();
}

/** What the results are of, and the way to the form. */
function Compared({ workload, a, b }: { readonly workload: string; readonly a: string; readonly b: string }) {
  const open = formOpen.value;
  return (
    <div class="compare-bar">
      <p class="compare-lead">{workload}. <b>A</b>: {a}. <b>B</b>: {b}.</p>
      <Button small expanded={open} controls={formId} onClick={() => (formOpen.value = !open)}>{open ? "Hide the form" : "Compare something else"}</Button>
    </div>
  );
}

function Running() {
  const progress = running.value;
  return (
    <div class="compare-run">
      {progress ? (
        <>
          <Button icon="close" onClick={cancelComparison}>Cancel</Button>
          <progress value={progress.share} max={1} aria-label="Inputs that were played" />
          <small>
            {progress.workloads > 1 && `Seed ${progress.workload} of ${progress.workloads}: `}
            {Math.round(progress.share * 100)}% of the inputs, {progress.decisions.toLocaleString("en-GB")} decisions
          </small>
        </>
      ) : (
        <Button kind="primary" icon="play" onClick={() => void runComparison()}>Compare A with B</Button>
      )}
      <p class="compare-trouble" role="alert">{trouble}</p>
    </div>
  );
}
