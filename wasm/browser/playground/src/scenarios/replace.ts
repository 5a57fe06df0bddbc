import { askUser } from "../ui/question";
import { begin, draft, touched, type Draft } from "./draft";

/** Begins with another text, once the user agrees to lose the one that they changed. False: they keep it. */
export async function replaceDraft(next: Draft): Promise<boolean> {
  const sure = !touched.peek() || await askUser<true>({
    title: `Replace ${draft.peek().name}?`,
    lead: `Its text was changed, and ${next.name} replaces it.`,
    choices: [{ text: "Replace it", kind: "primary", value: true }],
  });
  if (sure) begin(next);
  return sure === true;
}
