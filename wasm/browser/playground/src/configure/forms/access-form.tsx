import { useState } from "preact/hooks";
import type { ConfigQueue } from "../../engine/types";
import type { Errors } from "../../play/form-reader";
import { Select, TextField } from "../../ui/field";
import { accessDraft, accessValue, type AccessDraft } from "../rewrite/sections";
import { meaning } from "./meanings";
import { SectionDialog } from "./section-dialog";

interface AccessFormProps {
  readonly queue: ConfigQueue;
  readonly partition: string | undefined;
  readonly onClose: () => void;
}

/** Who may submit to a queue, and who may administer it. */
export function AccessForm({ queue, partition, onClose }: AccessFormProps) {
  const [submit, setSubmit] = useState(() => accessDraft(queue.submitACL));
  const [admin, setAdmin] = useState(() => accessDraft(queue.adminACL));
  return (
    <SectionDialog title={`Access to ${queue.path}`} lead="Lists below add to those above. If no queue of the partition has a list, all users may do everything; otherwise users that are on no list are rejected."
      home={{ partition, queue: queue.path }} edits={{ submitacl: accessValue(submit), adminacl: accessValue(admin) }} atFields={/^(submitacl|adminacl)$/} onClose={onClose}>
      {(errors) => (
        <>
          <List title="May submit" field="submitacl" value={submit} errors={errors} onChange={setSubmit} />
          <List title="May administer" field="adminacl" value={admin} errors={errors} onChange={setAdmin} />
        </>
      )}
    </SectionDialog>
  );
}

interface ListProps {
  readonly title: string;
  readonly field: string;
  readonly value: AccessDraft;
  readonly errors: Errors;
  readonly onChange: (value: AccessDraft) => void;
}

const whoever = [{ value: "unset", text: "No list here" }, { value: "all", text: "All users" }, { value: "named", text: "These users and groups" }] as const;

function List({ title, field, value, errors, onChange }: ListProps) {
  return (
    <fieldset class="form form-item" aria-label={title}>
      <Select label={title} value={value.who} options={whoever} hint={meaning("queue", field)} error={errors[field]} onChange={(who) => onChange({ ...value, who })} />
      {value.who === "named" && (
        <div class="form-row">
          <TextField label="Users" value={value.users} placeholder="none" onInput={(users) => onChange({ ...value, users })} />
          <TextField label="Groups" value={value.groups} placeholder="none" onInput={(groups) => onChange({ ...value, groups })} />
        </div>
      )}
    </fieldset>
  );
}
