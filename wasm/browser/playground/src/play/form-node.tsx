import { useState } from "preact/hooks";
import type { Untimed } from "../model/lines";
import { actions } from "../state/run";
import { selection } from "../state/store";
import { TextField } from "../ui/field";
import { count } from "../ui/format";
import type { Checked } from "./form-drafts";
import { FormFrame } from "./form-frame";

const deeds = {
  drain: { text: "Drain", act: "Drain the node", means: "It accepts no asks and keeps its allocations." },
  resume: { text: "Resume", act: "Resume the node", means: "It accepts asks again." },
  remove: { text: "Remove", act: "Remove the node", means: "Its allocations end with it." },
} as const;
type Deed = keyof typeof deeds;
const mostOffered = 200;

/** Drains, resumes or removes a node. */
export function NodeForm({ node }: { readonly node: string | undefined }) {
  const { nodes } = actions.model();
  const [id, setId] = useState(node ?? (selection.value?.kind === "node" ? selection.value.id : ""));
  const [deed, setDeed] = useState<Deed>("drain");
  const found = nodes.get(id.trim());
  const check = (): Checked => {
    if (!found) return { errors: { node: id.trim() === "" ? "Expected the ID of a node, found nothing." : `Expected an existing node, found ${id.trim()}.` } };
    const input: Untimed = { type: `node.${deed}`, id: found.id };
    return { inputs: [input] };
  };
  return (
    <FormFrame title="Change a node" act={deeds[deed].act} check={check}>
      {(errors) => (
        <>
          <TextField label="Node" value={id} error={errors.node} among={[...nodes.keys()].slice(0, mostOffered)} onInput={setId}
            hint={found && `${found.schedulable ? "In service" : "Drained"}, with ${count(found.allocations.size, "allocation")}.`} />
          <fieldset class="form-group">
            <legend>Action</legend>
            <div class="form-choices">
              {(Object.keys(deeds) as Deed[]).map((one) => (
                <label key={one}><input type="radio" name="deed" checked={deed === one} onChange={() => setDeed(one)} />{deeds[one].text}</label>
              ))}
            </div>
            <p class="form-says">{deeds[deed].means}</p>
          </fieldset>
        </>
      )}
    </FormFrame>
  );
}
