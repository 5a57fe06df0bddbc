import { Button } from "../ui/button";
import { questions } from "./question";

/** What can be asked of the thing that is selected. */
export function Questions() {
  if (questions.value.length === 0) return null;
  return (
    <nav class="why-questions" aria-label="Questions about it">
      {questions.value.map(({ text, put }) => <Button key={text} small onClick={put}>{text}</Button>)}
    </nav>
  );
}
