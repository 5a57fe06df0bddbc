import { draft } from "./draft";
import { editor } from "./editor";
import { find } from "./outline/outline";
import { outlineOf } from "./outline/read";

/** Goes to where the text names a queue. Root may go without being named. */
export function goToQueue(path: string, partition?: string): void {
  const at = find(outlineOf(draft.peek()).file, path, undefined, partition);
  if (at) editor.goTo(at.from, at.to);
}
