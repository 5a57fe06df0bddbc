import "./compare.css";
import { Button } from "../ui/button";
import { cancelComparison, finished, runComparison, running, trouble } from "./comparison";
import { Modules } from "./modules";
import { Results } from "./results";
import { SetupForm } from "./setup-form";
import { WorkloadForm } from "./workload-form";

/** Two policies on one workload, side by side; and the modules that may be such policies. */
export function Compare() {
  return (
    <div class="compare">
      <header>
        <h1>Compare policies</h1>
        <p class="compare-lead">
          One workload is scheduled twice, under set-up A and under set-up B, each in a scheduler of its own. The cluster goes on meanwhile.
        </p>
      </header>
      <div class="compare-card">
        <div class="compare-setups">
          <WorkloadForm />
          <SetupForm name="a" />
          <SetupForm name="b" />
        </div>
        <Running />
      </div>
      {finished.value && <Results finished={finished.value} />}
      <Modules />
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
          <small>{Math.round(progress.share * 100)}% of the inputs, {progress.decisions.toLocaleString("en-GB")} decisions</small>
        </>
      ) : (
        <Button kind="primary" icon="play" onClick={() => void runComparison()}>Compare A with B</Button>
      )}
      <p class="compare-trouble" role="alert">{trouble}</p>
    </div>
  );
}
