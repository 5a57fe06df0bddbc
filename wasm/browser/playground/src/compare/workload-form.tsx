import { groups } from "../learn/course";
import { presets } from "../learn/presets";
import { title } from "../state/store";
import { Field, Select, TextField } from "../ui/field";
import { count } from "../ui/format";
import { applications, configured, draft, draftErrors, lesson, queuesOf, source, sources, type GeneratedDraft, type Source } from "./workload";

const sourceWords: Readonly<Record<Source, string>> = {
  cluster: "The journal of the cluster", lesson: "A lesson", generated: "Generated from seeds",
};

const queuesWords = { plain: "Three plain ones: prod, research, batch", cluster: "Those of the configuration in force" } as const;

/** Which workload both set-ups get. */
export function WorkloadForm() {
  return (
    <fieldset class="compare-setup compare-workload">
      <legend>Workload</legend>
      <Select label="Source" value={source.value} options={sources.map((value) => ({ value, text: sourceWords[value] }))} onChange={(value) => (source.value = value)} />
      {source.value === "cluster" && <p class="compare-note">The journal of “{title}”, from its start until the scheduler is idle.</p>}
      {source.value === "lesson" && <LessonChoice />}
      {source.value === "generated" && <Generated />}
    </fieldset>
  );
}

function LessonChoice() {
  return (
    <Field label="Lesson">
      {(ids) => (
        <select {...ids} value={lesson.value} onChange={(event) => (lesson.value = event.currentTarget.value)}>
          {groups.map((group) => {
            const list = presets.filter((one) => one.group === group);
            return list.length > 0 && (
              <optgroup key={group} label={group}>{list.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}</optgroup>
            );
          })}
        </select>
      )}
    </Field>
  );
}

function Generated() {
  const errors = draftErrors();
  const field = (name: keyof GeneratedDraft, label: string, wrong = name as string) => (
    <TextField label={label} inputMode="decimal" value={draft.value[name]} error={errors[wrong]} onInput={(text) => (draft.value = { ...draft.value, [name]: text })} />
  );
  return (
    <>
      <div class="compare-fields">
        {field("nodes", "Nodes")}
        {field("vcore", "vcore each", "capacity.0")}
        {field("memory", "memory each", "capacity.1")}
        {field("rate", "Applications a minute")}
        {field("minutes", "Minutes")}
        {field("asks", "Asks each, at most")}
        {field("seed", "First seed")}
        {field("seeds", "Seeds")}
      </div>
      <Select label="Queues" value={queuesOf.value} options={configured.map((value) => ({ value, text: queuesWords[value] }))} onChange={(value) => (queuesOf.value = value)} />
      <p class="compare-note">
        {count(applications(), "application")} a seed. The same seed gives the same workload; several, 1 to 20, show which differences are more than chance.
      </p>
    </>
  );
}
