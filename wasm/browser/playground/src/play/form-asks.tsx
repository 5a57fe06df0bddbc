import { useState } from "preact/hooks";
import { isOver } from "../see/tree-rows";
import { actions } from "../state/run";
import { selection } from "../state/store";
import { TextField } from "../ui/field";
import { count } from "../ui/format";
import { askDraft, AskFields, freeAskId } from "./form-ask-fields";
import { checkAsks } from "./form-drafts";
import { FormFrame } from "./form-frame";

const mostOffered = 200;

/** Adds asks to an application that is there. */
export function AsksForm({ app }: { readonly app: string | undefined }) {
  const living = [...actions.model().apps.values()].filter((one) => !isOver(one.state)).map((one) => one.id);
  const [id, setId] = useState(app ?? (selection.value?.kind === "app" ? selection.value.id : living[0] ?? ""));
  const [draft, setDraft] = useState(() => askDraft(id));
  const rename = (next: string) => {
    if (draft.id === freeAskId(id)) setDraft({ ...draft, id: freeAskId(next) });
    setId(next);
  };
  return (
    <FormFrame title="Add asks" act={`Add ${count(Math.max(1, Number(draft.count) || 1), "ask")}`} check={() => checkAsks(id, draft, actions.model())}>
      {(errors) => (
        <>
          <TextField label="Application" value={id} error={errors.app} among={living.slice(0, mostOffered)} onInput={rename} />
          <AskFields value={draft} errors={errors} onChange={setDraft} />
        </>
      )}
    </FormFrame>
  );
}
