import { Button } from "../ui/button";
import { Icon } from "../ui/icons";
import { wordsOf } from "./host/api";

/** What went wrong with a question, in its place. */
export function Failure({ of, onRetry }: { readonly of: unknown; readonly onRetry?: () => void }) {
  return (
    <p class="failure" role="alert">
      <Icon name="warn" /><span>{wordsOf(of)}</span>
      {onRetry && <Button small onClick={onRetry}>Try again</Button>}
    </p>
  );
}

/** In place of an explanation that the host keeps from the user: it would name what others run. */
export function Withheld() {
  return <p class="why-note">Explanations are for operators: they name the applications of other users.</p>;
}
