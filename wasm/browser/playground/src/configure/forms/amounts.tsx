import { amountDrafts, AmountFields } from "../../play/form-amounts";
import type { AmountDraft, Errors } from "../../play/form-reader";

interface AmountsProps {
  readonly legend: string;
  /** The key in the errors of the scheduler, which add the type. */
  readonly field: string;
  readonly value: readonly AmountDraft[];
  readonly errors: Errors;
  readonly onChange: (value: readonly AmountDraft[]) => void;
}

/** Amounts by type, with what the scheduler has against each. */
export function Amounts({ field, value, errors, ...rest }: AmountsProps) {
  const at = value.map(({ type }, i) => [`${field}.${i}`, errors[`${field}.${type.trim()}`]] as const);
  const found = Object.fromEntries([[field, errors[field]], ...at].flatMap(([key, error]) => (key !== undefined && error !== undefined ? [[key, error]] : [])));
  return <AmountFields {...rest} field={field} value={value} errors={found} />;
}

/** With an empty line for each type that the cluster has. */
export function withTypes(given: readonly AmountDraft[]): AmountDraft[] {
  return amountDrafts(Object.fromEntries(given.map(({ type, amount }) => [type, amount])));
}
