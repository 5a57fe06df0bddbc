import { useState } from "preact/hooks";
import { actions } from "../state/run";
import { Check, TextField } from "../ui/field";
import { count } from "../ui/format";
import { amountDrafts, AmountFields } from "./form-amounts";
import { checkNodes, type NodesDraft } from "./form-drafts";
import { FormFrame } from "./form-frame";
import { PartitionField } from "./form-partition";
import { namesOf } from "./form-names";

/** Adds nodes: one by its name, or many by a pattern. */
export function NodesForm() {
  const [draft, setDraft] = useState<NodesDraft>(() => ({ name: "n{}", count: "1", capacity: amountDrafts({ vcore: "8", memory: "32Gi" }), attributes: "", drained: false, partition: "" }));
  const set = (part: Partial<NodesDraft>) => setDraft({ ...draft, ...part });
  const many = Math.min(10_000, Math.max(1, Number(draft.count) || 1));
  return (
    <FormFrame title="Add nodes" act={`Add ${count(many, "node")}`} check={() => checkNodes(draft, actions.model())}>
      {(errors) => (
        <>
          <div class="form-row form-row-lead">
            <TextField label="Name" value={draft.name} error={errors.name} hint={preview(draft.name, many)} onInput={(name) => set({ name })} />
            <TextField label="How many" inputMode="numeric" value={draft.count} error={errors.count} onInput={(text) => set({ count: text })} />
          </div>
          <PartitionField value={draft.partition} onChange={(partition) => set({ partition })} />
          <AmountFields legend="Capacity of each" field="capacity" value={draft.capacity} errors={errors} onChange={(capacity) => set({ capacity })} />
          <TextField label="Attributes" value={draft.attributes} error={errors.attributes} placeholder="zone=a, disk=ssd" hint="Asks can require them." onInput={(attributes) => set({ attributes })} />
          <Check label="Drained" hint="It accepts no asks until it is resumed." checked={draft.drained} onChange={(drained) => set({ drained })} />
        </>
      )}
    </FormFrame>
  );
}

function preview(pattern: string, many: number): string {
  const names = namesOf(pattern, Math.min(many, 3), (name) => actions.model().nodes.has(name));
  return `{} stands for the next free number: ${names.join(", ")}${many > 3 ? ", …" : ""}`;
}
