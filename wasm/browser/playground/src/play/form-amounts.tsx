import { useId } from "preact/hooks";
import { types } from "../state/store";
import { Button, IconButton } from "../ui/button";
import type { AmountDraft, Errors } from "./form-reader";

interface AmountFieldsProps {
  readonly legend: string;
  /** What the fields are called in the errors. */
  readonly field: string;
  readonly value: readonly AmountDraft[];
  readonly errors: Errors;
  readonly onChange: (value: readonly AmountDraft[]) => void;
}

/** An amount for each type: those that the cluster has, and others by name. */
export function AmountFields({ legend, field, value, errors, onChange }: AmountFieldsProps) {
  const change = (at: number, part: Partial<AmountDraft>) => onChange(value.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <fieldset class="field form-amounts">
      <legend class="sr">{legend}</legend>
      <label aria-hidden="true">{legend}</label>
      {value.map((one, i) => <Amount key={i} draft={one} error={errors[`${field}.${i}`]} onChange={(part) => change(i, part)} onRemove={() => onChange(value.filter((_, j) => j !== i))} />)}
      {errors[field] && <small class="field-error">{errors[field]}</small>}
      <div><Button kind="quiet" small icon="add" onClick={() => onChange([...value, { type: "", amount: "" }])}>Another type</Button></div>
    </fieldset>
  );
}

interface AmountProps {
  readonly draft: AmountDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<AmountDraft>) => void;
  readonly onRemove: () => void;
}

function Amount({ draft, error, onChange, onRemove }: AmountProps) {
  const id = useId();
  const known = knownTypes().includes(draft.type);
  return (
    <div class="form-amount">
      {known
        ? <label for={id}>{draft.type}</label>
        : <input aria-label="Type" placeholder="nvidia.com/gpu" value={draft.type} onChange={(event) => onChange({ type: event.currentTarget.value })} />}
      <input id={id} aria-label={known ? undefined : "Amount"} value={draft.amount} placeholder={draft.type === "memory" ? "16Gi" : "4"} autocomplete="off" aria-invalid={error ? true : undefined}
        onInput={(event) => onChange({ amount: event.currentTarget.value })} />
      {known ? <span /> : <IconButton icon="close" label="Remove this type" onClick={onRemove} />}
      {error && <small class="field-error">{error}</small>}
    </div>
  );
}

/** A draft with the amounts given, and an empty line for each other type of the cluster. */
export function amountDrafts(given: Readonly<Record<string, string>>): AmountDraft[] {
  return [...new Set([...knownTypes(), ...Object.keys(given)])].map((type) => ({ type, amount: Object.hasOwn(given, type) ? given[type] ?? "" : "" }));
}

function knownTypes(): readonly string[] {
  return types.value.length > 0 ? types.value : ["vcore", "memory"];
}
