/** The configuration that is being written. It outlives the view, so that one can look at the cluster meanwhile. */

import { computed, effect, signal } from "@preact/signals";
import type { Configuration } from "../model/scenario";
import { configuration } from "../state/store";

/** What a scheduler does that was given no configuration. */
const unconfigured: Configuration = {
  format: "yaml",
  text: "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: default\n",
};

/** Ends of lines as the editor has them. */
export const tidy = ({ text, format }: Configuration): Configuration => ({ text: text.replace(/\r\n?/g, "\n"), format });

/** What runs. */
export const running = computed(() => tidy(configuration.value ?? unconfigured));

export const draft = signal(running.peek());

const same = (a: Configuration, b: Configuration): boolean => a.text === b.text && a.format === b.format;

/** Whether the editor shows the differences to what runs. */
export const comparing = signal(false);

/** Whether the draft is another text than what runs. */
export const edited = computed(() => !same(draft.value, running.value));

// An unchanged draft follows the configuration in force.
let followed = running.peek();
effect(() => {
  if (same(draft.peek(), followed)) draft.value = running.value;
  followed = running.value;
});
