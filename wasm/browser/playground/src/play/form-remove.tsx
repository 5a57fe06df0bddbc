import { useState } from "preact/hooks";
import type { Untimed } from "../model/lines";
import type { Model } from "../model/model";
import { isOver } from "../see/tree-rows";
import { actions } from "../state/run";
import { selection } from "../state/store";
import { TextField } from "../ui/field";
import { find } from "../ui/find";
import { count } from "../ui/format";
import type { Checked } from "./form-drafts";
import { FormFrame } from "./form-frame";

/** Removes an application, withdraws an ask, or releases an allocation: whichever the ID is of. */
export function RemoveForm({ id: given }: { readonly id: string | undefined }) {
  const model = actions.model();
  const [id, setId] = useState(given ?? (selection.value?.kind === "app" || selection.value?.kind === "ask" ? selection.value.id : ""));
  const end = endOf(model, id.trim());
  const check = (): Checked => (end ? { inputs: [end.input] } : { errors: { id: `Expected the ID of an application, an ask or an allocation, found ${id.trim() || "nothing"}.` } });
  const offered = find(model, id, 30).filter((one) => one.kind === "app" || one.kind === "ask").map((one) => one.id);
  return (
    <FormFrame title="Remove or release" act={end?.act ?? "Remove"} check={check}>
      {(errors) => <TextField label="ID of an application or an ask" value={id} error={errors.id} among={offered} hint={end?.says} onInput={setId} />}
    </FormFrame>
  );
}

interface End {
  readonly input: Untimed;
  readonly act: string;
  readonly says: string;
}

function endOf({ apps, asks }: Model, id: string): End | undefined {
  const app = apps.get(id);
  if (app && !isOver(app.state)) {
    return { input: { type: "app.remove", id }, act: "Remove the application", says: `An application of ${app.queue}, with ${count(app.asks.size, "ask")}: its pending asks are removed, and its allocations end.` };
  }
  const ask = asks.get(id);
  if (!ask) return undefined;
  if (ask.node === undefined) return { input: { type: "ask.remove", id }, act: "Withdraw the ask", says: `An ask of ${ask.app} that waits: it is withdrawn.` };
  return { input: { type: "allocation.release", id }, act: "Release the allocation", says: `An allocation of ${ask.app} on ${ask.node}: it ends.` };
}
