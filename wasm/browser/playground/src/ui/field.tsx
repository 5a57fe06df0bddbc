import "./field.css";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What an input inside a Field has to carry. */
interface FieldIds {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
}

interface FieldProps {
  readonly label: string;
  /** What is to be written here, below the input. */
  readonly hint?: ComponentChildren;
  /** What is wrong with what is there, in place of the hint. */
  readonly error?: string | undefined;
  readonly children: (ids: FieldIds) => ComponentChildren;
}

/** A label, an input, and below it a hint or what is wrong. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const below = error ?? hint;
  const note = `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": below ? note : undefined, "aria-invalid": error ? true : undefined })}
      {below && <small id={note} class={error ? "field-error" : "field-hint"}>{below}</small>}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
  readonly inputMode?: "numeric" | "decimal" | "text";
  /** Values to choose from; others can be written as well. */
  readonly among?: readonly string[];
}

/** A line of text. */
export function TextField({ label, hint, error, value, onInput, placeholder, inputMode, among }: TextFieldProps) {
  const list = useId();
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <>
          <input {...ids} value={value} placeholder={placeholder} inputMode={inputMode} list={among && list} autocomplete="off" spellcheck={false}
            onInput={(event) => onInput(event.currentTarget.value)} />
          {among && <datalist id={list}>{among.map((one) => <option key={one} value={one} />)}</datalist>}
        </>
      )}
    </Field>
  );
}

interface SelectProps<T extends string> {
  readonly label: string;
  /** The label is only for screen readers. */
  readonly bare?: boolean;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

/** One of a few. */
export function Select<T extends string>({ label, bare, value, options, onChange, hint, error }: SelectProps<T>) {
  const pick = (at: number) => {
    const option = options[at];
    if (option) onChange(option.value);
  };
  const select = (rest: object) => (
    <select {...rest} value={value} onChange={(event) => pick(event.currentTarget.selectedIndex)}>
      {options.map((option) => <option key={option.value} value={option.value}>{option.text}</option>)}
    </select>
  );
  if (bare) return select({ class: "field-bare", "aria-label": label });
  return <Field label={label} hint={hint} error={error}>{select}</Field>;
}

/** Yes or no. */
export function Check({ label, hint, checked, onChange }: { readonly label: string; readonly hint?: string; readonly checked: boolean; readonly onChange: (checked: boolean) => void }) {
  const note = useId();
  return (
    <div class="field-check">
      <label>
        <input type="checkbox" checked={checked} aria-describedby={hint && note} onChange={(event) => onChange(event.currentTarget.checked)} />
        {label}
      </label>
      {hint && <small id={note} class="field-hint">{hint}</small>}
    </div>
  );
}
