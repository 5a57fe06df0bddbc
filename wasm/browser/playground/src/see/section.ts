/** On a narrow screen one panel of the cluster shows at a time: this is the one. */

import { effect, signal } from "@preact/signals";
import { open } from "../learn/open";
import { embedded } from "../share/link";

export type Section = "lesson" | "tree" | "grid" | "side" | "time" | "stream";

export const section = signal<Section>("tree");

let taught: string | undefined;

// A lesson that opens would else stay behind the panel that shows, wherever it was opened.
effect(() => {
  const name = embedded ? undefined : open.value?.lesson.name;
  if (name !== undefined && name !== taught) section.value = "lesson";
  taught = name;
});

/** Shows what is selected, when the user asked for it and not for the panel that shows. */
export function showSelected(): void {
  section.value = "side";
}
