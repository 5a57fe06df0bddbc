import { useId, useState } from "preact/hooks";
import type { ConfigQueue } from "../../engine/types";
import type { Errors } from "../../play/form-reader";
import { Button, IconButton } from "../../ui/button";
import { Check, TextField } from "../../ui/field";
import { templateDraft, templateValue, type PropertyDraft, type TemplateDraft } from "../rewrite/sections";
import { Amounts, withTypes } from "./amounts";
import { choices, meaning, properties } from "./meanings";
import { SectionDialog } from "./section-dialog";

interface TemplateFormProps {
  readonly queue: ConfigQueue;
  readonly partition: string | undefined;
  readonly onClose: () => void;
}

const at = "childtemplate";

/** The settings of dynamic leaves below a queue. */
export function TemplateForm({ queue, partition, onClose }: TemplateFormProps) {
  const [template, setTemplate] = useState<TemplateDraft>(() => {
    const given = templateDraft(queue.template);
    return { ...given, guaranteed: withTypes(given.guaranteed), max: withTypes(given.max) };
  });
  const set = (part: Partial<TemplateDraft>) => setTemplate({ ...template, ...part });
  return (
    <SectionDialog title={`Child template of ${queue.path}`} lead="Queues that placement rules create have no settings of their own: leaves take them from the nearest template above." home={{ partition, queue: queue.path }}
      edits={{ [at]: templateValue(template) }} atFields={/^childtemplate\.(maxapplications|resources\.(guaranteed|max)(\..+)?|properties\..+)$/} onClose={onClose}>
      {(errors) => (
        <>
          <Check label="The queue has a child template" checked={template.given} onChange={(given) => set({ given })} />
          {template.given && (
            <>
              <TextField label="Applications at most" inputMode="numeric" value={template.applications} placeholder="no limit" hint={meaning("queue", `${at}.maxapplications`)} error={errors[`${at}.maxapplications`]} onInput={(applications) => set({ applications })} />
              <Amounts legend="Guaranteed" field={`${at}.resources.guaranteed`} value={template.guaranteed} errors={errors} onChange={(guaranteed) => set({ guaranteed })} />
              <Amounts legend="Max" field={`${at}.resources.max`} value={template.max} errors={errors} onChange={(max) => set({ max })} />
              <Properties value={template.properties} errors={errors} onChange={(list) => set({ properties: list })} />
            </>
          )}
        </>
      )}
    </SectionDialog>
  );
}

interface PropertiesProps {
  readonly value: readonly PropertyDraft[];
  readonly errors: Errors;
  readonly onChange: (value: readonly PropertyDraft[]) => void;
}

function Properties({ value, errors, onChange }: PropertiesProps) {
  const change = (i: number, part: Partial<PropertyDraft>) => onChange(value.map((one, j) => (j === i ? { ...one, ...part } : one)));
  return (
    <fieldset class="field form-amounts">
      <legend class="sr">Properties</legend>
      <label aria-hidden="true">Properties</label>
      {value.map((one, i) => <Property key={i} of={one} error={errors[`${at}.properties.${one.name.trim()}`]} onChange={(part) => change(i, part)} onRemove={() => onChange(value.filter((_, j) => j !== i))} />)}
      <div><Button kind="quiet" small icon="add" onClick={() => onChange([...value, { name: "", value: "" }])}>A property</Button></div>
    </fieldset>
  );
}

interface PropertyProps {
  readonly of: PropertyDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<PropertyDraft>) => void;
  readonly onRemove: () => void;
}

function Property({ of, error, onChange, onRemove }: PropertyProps) {
  const [names, values] = [useId(), useId()];
  const explained = meaning("properties", of.name);
  return (
    <div class="form-amount form-property">
      <input aria-label="Property" list={names} value={of.name} placeholder="application.sort.policy" autocomplete="off" spellcheck={false} onInput={(event) => onChange({ name: event.currentTarget.value })} />
      <input aria-label={`Value of ${of.name || "the property"}`} list={values} value={of.value} autocomplete="off" spellcheck={false} aria-invalid={error ? true : undefined} onInput={(event) => onChange({ value: event.currentTarget.value })} />
      <IconButton icon="close" label={`Remove ${of.name || "the property"}`} onClick={onRemove} />
      <datalist id={names}>{properties().map((name) => <option key={name} value={name} />)}</datalist>
      <datalist id={values}>{choices("properties", of.name).map((one) => <option key={one} value={one} />)}</datalist>
      {error ? <small class="field-error">{error}</small> : explained && <small class="field-hint">{explained}</small>}
    </div>
  );
}
