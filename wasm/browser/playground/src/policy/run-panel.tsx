import { presets } from "../learn/presets";
import { title } from "../state/store";
import { Button } from "../ui/button";
import { Select } from "../ui/field";
import { Panel } from "../ui/panel";
import { against, cancelRun, finished, runPolicy, running, trouble } from "./run";
import { built } from "./work";

/** Runs a workload without the policy and with it. */
export function RunPanel() {
  const progress = running.value;
  const options = [
    { value: "cluster", text: `The cluster now${title.value && `: ${title.value}`}` },
    { value: "generated", text: "A generated workload" },
    ...presets.map(({ name, title: lesson }) => ({ value: name, text: `Lesson: ${lesson}` })),
  ];
  const stale = finished.value !== undefined && built.value !== undefined && finished.value.module !== built.value.bytes;
  return (
    <Panel title="Try it" class="policy-run">
      <Select label="Workload" value={against.value} options={options} onChange={(value) => (against.value = value)}
        hint="It is scheduled twice, without the policy (A) and with it (B), each in a scheduler of its own." />
      <div class="policy-busy">
        {progress
          ? <><Button icon="close" onClick={cancelRun}>Cancel</Button><progress value={progress.share} max={1} aria-label="Inputs that were played" /></>
          : <Button kind="primary" icon="play" disabled={!built.value} onClick={() => { void runPolicy(); }}>Run without and with it</Button>}
      </div>
      <p role="status" class="policy-note">{progress ? `${Math.round(progress.share * 100)}% of the inputs` : summary(stale)}</p>
      <p class="policy-error" role="alert">{trouble}</p>
    </Panel>
  );
}

/** What changed, in a sentence. */
function summary(stale: boolean): string {
  if (!finished.value) return "";
  const { outcome: { parting, same, differ: d, b }, names } = finished.value;
  const faults = b.figures.faults > 0 ? ` ${b.figures.faults.toLocaleString("en-GB")} calls of it failed, and its fallback decided.` : "";
  const changed = parting ? `The first ${same.toLocaleString("en-GB")} decisions are the same; ${(d.moved).toLocaleString("en-GB")} asks went to another node, ${d.earlier.toLocaleString("en-GB")} earlier, ${d.later.toLocaleString("en-GB")} later.` : "All decisions are the same.";
  return `${stale ? "Before the last change of the text: " : ""}${names.b}, on ${names.workload}: ${changed}${faults} The figures are below.`;
}
