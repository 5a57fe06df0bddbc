import { useState } from "preact/hooks";
import { actions } from "../state/run";
import { queues, selection } from "../state/store";
import { Check, Select, TextField } from "../ui/field";
import { isOver } from "../see/tree-rows";
import { askDraft, AskFields } from "./form-ask-fields";
import { checkApplication, type ApplicationDraft } from "./form-drafts";
import { FormFrame } from "./form-frame";
import { namesOf } from "./form-names";

/** Submits an application, as a rule together with asks. */
export function ApplicationForm({ queue }: { readonly queue: string | undefined }) {
  const leaves = queues.value.filter((one) => one.leaf).map((one) => one.path);
  const [draft, setDraft] = useState<ApplicationDraft>(() => first(queue ?? picked(leaves) ?? leaves[0] ?? ""));
  const set = (part: Partial<ApplicationDraft>) => setDraft({ ...draft, ...part });
  // The ask is named after the application, for as long as nobody named it otherwise.
  const named = (id: string) => set({ id, ask: draft.ask.id === `${draft.id}-ask` ? { ...draft.ask, id: `${id}-ask` } : draft.ask });
  return (
    <FormFrame title="Submit an application" act="Submit" check={() => checkApplication(draft, actions.model())}>
      {(errors) => (
        <>
          <div class="form-row">
            <TextField label="ID" value={draft.id} error={errors.id} onInput={named} />
            <Select label="Queue" value={draft.queue} error={errors.queue} options={leaves.map((path) => ({ value: path, text: path }))} onChange={(path) => set({ queue: path })} />
          </div>
          <div class="form-row">
            <TextField label="User" value={draft.user} placeholder="nobody in particular" onInput={(user) => set({ user })} />
            <TextField label="Tags" value={draft.tags} error={errors.tags} placeholder="team=blue" onInput={(tags) => set({ tags })} />
          </div>
          <div class="form form-part">
            <Check label="With asks at once" checked={draft.withAsks} onChange={(withAsks) => set({ withAsks })} />
            {draft.withAsks && <AskFields value={draft.ask} errors={errors} onChange={(ask) => set({ ask })} />}
          </div>
        </>
      )}
    </FormFrame>
  );
}

function first(queue: string): ApplicationDraft {
  const { apps } = actions.model();
  const lives = (name: string) => {
    const app = apps.get(name);
    return app !== undefined && !isOver(app.state);
  };
  const [id = "app-1"] = namesOf("app-{}", 1, lives);
  return { id, queue, user: "", tags: "", withAsks: true, ask: { ...askDraft(id), id: `${id}-ask` } };
}

/** The leaf that is picked, as where to submit to. */
function picked(leaves: readonly string[]): string | undefined {
  return leaves.find((path) => selection.value?.kind === "queue" && selection.value.id === path);
}
