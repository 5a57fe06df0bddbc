import { useEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../ui/button";
import { amount } from "../ui/format";
import { Icon } from "../ui/icons";
import { actions } from "../state/run";
import { modules } from "../state/store";
import { namedPoints } from "./configuration";
import { refusalWords } from "./gate-words";
import { GateReportView } from "./gate-report";
import { hasPassed, manifestOf, moduleOf, remove, stopTrying, type Candidate, type Passed } from "./library";
import { nameInCluster } from "./naming";
import { LimitsForm } from "./limits-form";
import { ParametersForm } from "./parameters-form";

/** A module that was brought: how it fared, and what can be done with it. */
export function ModuleCard({ candidate }: { readonly candidate: Candidate }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <article ref={card} class="compare-module" aria-label={`Module ${candidate.name}`}>
      <header>
        <Mark candidate={candidate} />
        <h3>{candidate.name}</h3>
        <small>{candidate.file}, {amount("memory", candidate.size)}</small>
        <IconButton icon="close" label={`Remove ${candidate.name}`} onClick={() => remove(candidate.name)} />
      </header>
      <div><Body candidate={candidate} /></div>
    </article>
  );
}

function Mark({ candidate: { result: { kind } } }: { readonly candidate: Candidate }) {
  const words = { trying: "Trying…", passed: "Passed", refused: "Refused", ended: "Given up" }[kind];
  const look = { trying: "", passed: "compare-better", refused: "compare-worse", ended: "compare-worse" }[kind];
  return <span role="status" class={`compare-mark ${look}`}>{kind !== "trying" && <Icon name={kind === "passed" ? "good" : "bad"} />}{words}</span>;
}

function Body({ candidate }: { readonly candidate: Candidate }) {
  const { result } = candidate;
  if (hasPassed(candidate)) return <PassedBody candidate={candidate} />;
  if (result.kind === "refused") return <Refusal candidate={candidate} />;
  if (result.kind === "ended") {
    return (
      <>
        <p class="compare-lead">{result.why}. The scheduler that it was tried in was ended; the cluster is untouched.</p>
        <LimitsForm candidate={candidate} />
      </>
    );
  }
  return (
    <div class="compare-bar">
      <p class="compare-lead">It is checked by the gate, compiled, configured and tried. This may take some seconds.</p>
      <Button small onClick={() => stopTrying()}>Stop</Button>
    </div>
  );
}

/** A module that orders or scores decides nothing before a configuration names it. */
function Naming({ candidate }: { readonly candidate: Passed }) {
  const points = namedPoints.filter((point) => point in manifestOf(candidate).points);
  if (points.length === 0) return <p class="compare-note">It is in the cluster, and in force.</p>;
  return (
    <div class="compare-tools">
      <p class="compare-note">It is in the cluster, and decides once the configuration names it.</p>
      <Button small onClick={() => void nameInCluster(candidate.name, points)}>Name it for the whole tree</Button>
    </div>
  );
}

function Refusal({ candidate }: { readonly candidate: Candidate }) {
  if (candidate.result.kind !== "refused") return null;
  const { error } = candidate.result;
  const { wrong, where, detail, help, code } = refusalWords(error);
  const limited = error.reason === undefined || error.reason === "memory-too-large"; // the gate's other bounds are fixed
  return (
    <>
      <dl class="compare-facts compare-refusal">
        <dt>Problem</dt><dd><b>{wrong}</b> <code>{code}</code></dd>
        {where && <><dt>Where</dt><dd>{where}</dd></>}
        <dt>Found</dt><dd>{detail}</dd>
        {help && <><dt>Remedy</dt><dd>{help}</dd></>}
      </dl>
      {limited && <LimitsForm candidate={candidate} />}
    </>
  );
}

function PassedBody({ candidate }: { readonly candidate: Passed }) {
  const module = moduleOf(candidate);
  const { name } = candidate;
  const used = modules.value.some((one) => one.name === name);
  const manifest = manifestOf(candidate);
  return (
    <>
      {manifest.description && <p class="compare-lead">{manifest.description}</p>}
      <ul class="compare-points" aria-label="Points">{Object.keys(manifest.points).map((point) => <li key={point}><code>{point}</code></li>)}</ul>
      <ParametersForm candidate={candidate} />
      <div class="compare-tools">
        <Button icon="play" disabled={!module} onClick={() => module && void actions.loadModule(module)}>Use it in the cluster</Button>
        {used && <Button icon="close" onClick={() => void actions.dropModule(name)}>Take it out of the cluster</Button>}
      </div>
      {used && <Naming candidate={candidate} />}
      <GateReportView candidate={candidate} />
      <LimitsForm candidate={candidate} />
    </>
  );
}
