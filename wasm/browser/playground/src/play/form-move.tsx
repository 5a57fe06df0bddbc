import { useState } from "preact/hooks";
import { splitPath } from "../model/paths";
import { isOver } from "../see/tree-rows";
import { actions } from "../state/run";
import { selection } from "../state/store";
import { TextField } from "../ui/field";
import { checkMove } from "./form-drafts";
import { FormFrame } from "./form-frame";
import { leavesOf } from "./form-partition";

const mostOffered = 200;

/** Moves an application to another leaf, with its asks and allocations. */
export function MoveForm({ app }: { readonly app: string | undefined }) {
  const living = [...actions.model().apps.values()].filter((one) => !isOver(one.state));
  const [id, setId] = useState(app ?? (selection.value?.kind === "app" ? selection.value.id : living[0]?.id ?? ""));
  const [queue, setQueue] = useState("");
  const known = actions.model().apps.get(id.trim());
  const leaves = leavesOf(known ? splitPath(known.queue).partition ?? "" : "").filter((path) => path !== known?.queue);
  return (
    <FormFrame title="Move an application" act="Move" check={() => checkMove({ app: id, queue }, actions.model())}
      lead="All its asks and allocations move with it. The move is refused if it would exceed a max, a limit or a maxapplications.">
      {(errors) => (
        <>
          <TextField label="Application" value={id} error={errors.app} among={living.slice(0, mostOffered).map((one) => one.id)} hint={known && `Now in ${known.queue}.`} onInput={setId} />
          <TextField label="To queue" value={queue} error={errors.queue} among={leaves} placeholder={leaves[0] ?? "root.a"} onInput={setQueue} />
        </>
      )}
    </FormFrame>
  );
}
