/** Asks before changes are lost. */

import { edits, savedEdits, title, unsaved } from "../state/store";
import { count } from "../ui/format";
import { askUser } from "../ui/question";
import { exportJournal } from "./handout";
import { embedded } from "./link";

/** Whether what runs may be replaced by something of this title. */
export async function mayReplace(next: string): Promise<boolean> {
  if (embedded || !unsaved.peek()) return true;
  const changes = Math.abs(edits.peek() - savedEdits.peek());
  const answer = await askUser<"export" | "replace">({
    title: `Replace “${title.peek()}”?`,
    lead: `${count(changes, "change")} by hand ${changes === 1 ? "was" : "were"} not exported. “${next}” replaces the current session. Undo restores it, as long as this page is open.`,
    choices: [
      { text: "Replace it", kind: "primary", value: "replace" },
      { text: "Export the journal first", hint: "The file opens here again, with all changes.", value: "export" },
    ],
  });
  if (answer === "export") await exportJournal();
  return answer !== undefined;
}
