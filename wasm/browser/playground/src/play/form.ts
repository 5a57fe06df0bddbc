import { signal } from "@preact/signals";

/** A form for doing something by hand, and what it starts with. */
type FormRequest =
  | { readonly kind: "nodes" }
  | { readonly kind: "application"; readonly queue?: string }
  | { readonly kind: "move"; readonly app?: string }
  | { readonly kind: "asks"; readonly app?: string }
  | { readonly kind: "node"; readonly node?: string }
  | { readonly kind: "remove"; readonly id?: string }
  | { readonly kind: "workload"; readonly queue?: string };

/** The form that is open. */
export const form = signal<FormRequest | undefined>(undefined);

export function openForm(request: FormRequest) {
  form.value = request;
}
