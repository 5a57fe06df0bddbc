import { useState } from "preact/hooks";
import { defaultWorkload } from "../model/generator";
import { actions } from "../state/run";
import { status, types } from "../state/store";
import { IconButton, Button } from "../ui/button";
import { TextField } from "../ui/field";
import { FormFrame } from "./form-frame";
import { lastingLeaves } from "./form-partition";
import type { Errors } from "./form-reader";
import { checkWorkload, draftOf, freeSeed, workloadLines, type WeightedDraft, type WorkloadDraft } from "./form-workload-draft";

/** Makes up many applications from a seed, from now on. */
export function WorkloadForm({ queue }: { readonly queue: string | undefined }) {
  const [draft, setDraft] = useState<WorkloadDraft>(() => first(queue));
  const set = (part: Partial<WorkloadDraft>) => setDraft({ ...draft, ...part });
  const text = (name: keyof WorkloadDraft & ("rate" | "minutes" | "fewest" | "most" | "shortest" | "longest" | "seed"), label: string, errors: Errors, hint?: string) => (
    <TextField label={label} inputMode="decimal" value={draft[name]} error={errors[name]} hint={hint} onInput={(value) => set({ [name]: value })} />
  );
  const check = () => {
    const checked = checkWorkload(draft, nowSeconds());
    return "errors" in checked ? checked : { inputs: [] };
  };
  const send = async () => {
    const checked = checkWorkload(draft, nowSeconds());
    return "options" in checked && actions.importLines(workloadLines(checked.options, status.value?.start ?? ""));
  };
  const applications = Math.round(Number(draft.rate) * Number(draft.minutes)) || 0;
  return (
    <FormFrame wide title="Add a workload" act={`Add ${applications.toLocaleString("en-GB")} applications`} check={check} send={send}
      lead="Applications at random moments from now on, of random sizes. The same seed gives the same workload.">
      {(errors) => (
        <>
          <div class="form-row">
            {text("rate", "Applications a minute", errors)}
            {text("minutes", "For minutes", errors)}
            {text("seed", "Seed", errors)}
          </div>
          <div class="form-row">
            {text("fewest", "Asks, at least", errors, "in an application")}
            {text("most", "Asks, at most", errors, "in an application")}
            {text("shortest", "Run time, at least", errors, "seconds")}
            {text("longest", "Run time, at most", errors, "seconds")}
          </div>
          <Weights legend="Queues" field="queues" value={draft.queues} errors={errors} onChange={(value) => set({ queues: value })} />
          <Weights legend="Sizes of asks" field="sizes" free value={draft.sizes} errors={errors} onChange={(value) => set({ sizes: value })} />
          <Weights legend="Priorities" field="priorities" free value={draft.priorities} errors={errors} onChange={(value) => set({ priorities: value })} />
        </>
      )}
    </FormFrame>
  );
}

function first(queue: string | undefined): WorkloadDraft {
  const leaves = lastingLeaves();
  const draft = draftOf({ ...defaultWorkload(leaves, types.value), seed: freeSeed(actions.model()) });
  if (queue === undefined) return draft;
  return { ...draft, queues: draft.queues.map((one) => ({ ...one, weight: one.what === queue ? "1" : "" })) };
}

/** As soon as the session takes inputs. */
function nowSeconds(): number {
  const { now = 0, earliest = 0 } = status.value ?? {};
  // Whole milliseconds, since the workload is written in them.
  return Math.ceil(Math.max(now, earliest) / 1e6) / 1000;
}

interface WeightsProps {
  readonly legend: string;
  readonly field: string;
  /** Lines can be written, added and taken out. */
  readonly free?: boolean;
  readonly value: readonly WeightedDraft[];
  readonly errors: Errors;
  readonly onChange: (value: readonly WeightedDraft[]) => void;
}

/** What is drawn from, and how often each. */
function Weights({ legend, field, free, value, errors, onChange }: WeightsProps) {
  const change = (at: number, part: Partial<WeightedDraft>) => onChange(value.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <fieldset class="field form-amounts form-weights">
      <legend class="sr">{legend}</legend>
      <div class="form-amount" aria-hidden="true"><label>{legend}</label><small>weight</small></div>
      {value.map((one, i) => (
        <div key={i} class="form-amount">
          {free ? <input aria-label={`${legend}, ${i + 1}`} value={one.what} onInput={(event) => change(i, { what: event.currentTarget.value })} /> : <span class="form-path">{one.what}</span>}
          <input aria-label={`Weight of ${one.what}`} inputMode="numeric" placeholder="0" value={one.weight} onInput={(event) => change(i, { weight: event.currentTarget.value })} />
          {free ? <IconButton icon="close" label={`Remove ${one.what}`} onClick={() => onChange(value.filter((_, j) => j !== i))} /> : <span />}
          {Object.keys(errors).filter((key) => key === `${field}.${i}` || key.startsWith(`${field}.${i}.`)).map((key) => <small key={key} class="field-error">{errors[key]}</small>)}
        </div>
      ))}
      {errors[field] && <small class="field-error">{errors[field]}</small>}
      {free && <div><Button kind="quiet" small icon="add" onClick={() => onChange([...value, { what: "", weight: "1" }])}>Another</Button></div>}
    </fieldset>
  );
}
