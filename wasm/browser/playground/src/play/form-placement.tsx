import { useState } from "preact/hooks";
import type { PlacementExplanation } from "../engine/types";
import { actions } from "../state/run";
import { Button } from "../ui/button";
import { whereOf, type ApplicationDraft } from "./form-drafts";
import { FormReader } from "./form-reader";

/** Asks the scheduler where an application would go as it is written now, rule by rule. */
export function PlacementPreview({ draft }: { readonly draft: ApplicationDraft }) {
  const [asked, setAsked] = useState<{ readonly of: string; readonly answer: PlacementExplanation | undefined }>();
  const read = new FormReader();
  const where = whereOf(read, draft);
  const now = JSON.stringify(where);
  const ask = async () => setAsked({ of: now, answer: await actions.wherePlaced(where) });
  return (
    <div class="form-placement">
      <Button small icon="search" disabled={read.errors !== undefined} onClick={() => void ask()}>Where would it go?</Button>
      <p role="status" class="form-says">{asked?.of === now && (asked.answer?.text ?? "The scheduler does not answer.")}</p>
    </div>
  );
}
