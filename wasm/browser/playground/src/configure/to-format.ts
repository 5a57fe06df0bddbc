import type { Configuration } from "../model/scenario";
import { actions } from "../state/run";
import { check } from "./checks";
import { convert } from "./convert";
import { draft } from "./draft";

/**
 * Turns the draft into the other format. A text that is none of the old format stays as it is, and is read as the new one
 * from now on: it may have been pasted.
 */
export async function toFormat(format: Configuration["format"]): Promise<void> {
  const from = draft.peek();
  if (from.format === format) return;
  const found = from.text.trim() === "" ? undefined : await check(from);
  if (draft.peek() !== from) return;
  const converted = found?.answer && convert(from, found.answer);
  draft.value = converted ?? { text: from.text, format };
  if (converted) actions.say("info", `Converted to ${format.toUpperCase()}, in the normal form: comments are not kept. Undo brings them back.`);
}
