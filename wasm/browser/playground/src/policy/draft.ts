/** The policy that is being written. It outlives the view, and is kept with the rest of the work. */

import { computed, signal } from "@preact/signals";
import nodeOrder from "./examples/node-order.txt?raw";

export const draft = signal(nodeOrder);
/** The text that it began with. */
const begun = signal(nodeOrder);
/** Whether the text was changed since. */
export const touched = computed(() => draft.value !== begun.value);

/** Begins with another text, with ends of lines as the editor has them. */
export function begin(text: string): void {
  draft.value = begun.value = text.replace(/\r\n?/g, "\n");
}
