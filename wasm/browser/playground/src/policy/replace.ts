import { askUser } from "../ui/question";
import { begin, touched } from "./draft";

/** Begins with another text, once the user agrees to lose the one that they changed. */
export async function replaceText(text: string): Promise<void> {
  const sure = !touched.peek() || await askUser<true>({
    title: "Replace the policy?",
    lead: "Its text was changed, and another policy replaces it.",
    choices: [{ text: "Replace it", kind: "primary", value: true }],
  });
  if (sure) begin(text);
}
