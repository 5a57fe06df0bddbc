import { useState } from "preact/hooks";
import { splitPath } from "../model/paths";
import { actions } from "../state/run";
import { selection } from "../state/store";
import { Check, Select, TextField } from "../ui/field";
import { isOver } from "../see/tree-rows";
import { amountDrafts, AmountFields } from "./form-amounts";
import { askDraft, AskFields } from "./form-ask-fields";
import { checkApplication, type ApplicationDraft } from "./form-drafts";
import { FormFrame } from "./form-frame";
import { namesOf } from "./form-names";
import { leavesOf, PartitionField } from "./form-partition";
import { PlacementPreview } from "./form-placement";
import type { Errors } from "./form-reader";

interface PartProps {
  readonly draft: ApplicationDraft;
  readonly errors: Errors;
  readonly set: (part: Partial<ApplicationDraft>) => void;
}

/** Submits an application, as a rule together with asks. */
export function ApplicationForm({ queue }: { readonly queue: string | undefined }) {
  const [draft, setDraft] = useState<ApplicationDraft>(() => first(queue ?? picked() ?? leavesOf("")[0] ?? ""));
  const set = (part: Partial<ApplicationDraft>) => setDraft({ ...draft, ...part });
  // The ask is named after the application, until it gets another name.
  const named = (id: string) => set({ id, ask: draft.ask.id === `${draft.id}-ask` ? { ...draft.ask, id: `${id}-ask` } : draft.ask });
  const leaves = leavesOf(draft.partition);
  return (
    <FormFrame title="Submit an application" act="Submit" check={() => checkApplication(draft, actions.model())}>
      {(errors) => (
        <>
          <div class="form-row">
            <TextField label="ID" value={draft.id} error={errors.id} onInput={named} />
            <PartitionField value={draft.partition} onChange={(partition) => set({ partition, queue: leavesOf(partition)[0] ?? "" })} />
          </div>
          <TextField label="Queue" value={draft.queue} error={errors.queue} among={leaves} placeholder="the placement rules choose" onInput={(path) => set({ queue: path })} />
          <Owner draft={draft} errors={errors} set={set} />
          <PlacementPreview draft={draft} />
          <Gang draft={draft} errors={errors} set={set} />
          <div class="form form-part">
            <Check label="With asks at once" checked={draft.withAsks} onChange={(withAsks) => set({ withAsks })} />
            {draft.withAsks && <AskFields value={draft.ask} errors={errors} onChange={(ask) => set({ ask })} />}
          </div>
        </>
      )}
    </FormFrame>
  );
}

function Owner({ draft, errors, set }: PartProps) {
  return (
    <div class="form-row">
      <TextField label="User" value={draft.user} placeholder="no user" onInput={(user) => set({ user })} />
      <TextField label="Groups" value={draft.groups} error={errors.groups} placeholder="dev, ops" onInput={(groups) => set({ groups })} />
      <TextField label="Tags" value={draft.tags} error={errors.tags} placeholder="team=blue" onInput={(tags) => set({ tags })} />
    </div>
  );
}

/** What makes it a gang application: placeholders hold room until its tasks can start together. */
function Gang({ draft, errors, set }: PartProps) {
  return (
    <div class="form form-part">
      <Check label="As a gang" hint="Placeholders hold room until all of its tasks can start." checked={draft.isGang} onChange={(isGang) => set({ isGang })} />
      {draft.isGang && (
        <>
          <AmountFields legend="All placeholders together" field="placeholders" value={draft.placeholders} errors={errors} onChange={(placeholders) => set({ placeholders })} />
          <div class="form-row">
            <Select label="If it is not complete in time" value={draft.style} options={[{ value: "Soft", text: "Its tasks run without a gang (Soft)" }, { value: "Hard", text: "It fails (Hard)" }]} onChange={(style) => set({ style })} />
            <TextField label="Placeholders wait" value={draft.timeout} error={errors.timeout} placeholder="15m" hint="90s, 5m, 1h30m" onInput={(timeout) => set({ timeout })} />
          </div>
        </>
      )}
    </div>
  );
}

function first(shown: string): ApplicationDraft {
  const { apps } = actions.model();
  const lives = (name: string) => {
    const app = apps.get(name);
    return app !== undefined && !isOver(app.state);
  };
  const [id = "app-1"] = namesOf("app-{}", 1, lives);
  const { partition = "", path: queue } = splitPath(shown);
  return {
    id, partition, queue, user: "", groups: "", tags: "", isGang: false, placeholders: amountDrafts({ vcore: "4", memory: "8Gi" }), style: "Soft", timeout: "",
    withAsks: true, ask: { ...askDraft(id), id: `${id}-ask` },
  };
}

/** The leaf that is picked, as where to submit to. */
function picked(): string | undefined {
  const found = selection.value;
  return found?.kind === "queue" && actions.model().queues.get(found.id)?.leaf ? found.id : undefined;
}
