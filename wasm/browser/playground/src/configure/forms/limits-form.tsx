import { useState } from "preact/hooks";
import type { ConfigQueue } from "../../engine/types";
import type { Errors } from "../../play/form-reader";
import { TextField } from "../../ui/field";
import { emptyLimit, limitDraft, limitValue, type LimitDraft } from "../rewrite/sections";
import { Amounts, withTypes } from "./amounts";
import { Items } from "./items";
import { meaning } from "./meanings";
import { SectionDialog } from "./section-dialog";

interface LimitsFormProps {
  readonly queue: ConfigQueue;
  readonly partition: string | undefined;
  readonly onClose: () => void;
}

/** The limits of a queue, for users and for groups. */
export function LimitsForm({ queue, partition, onClose }: LimitsFormProps) {
  const [limits, setLimits] = useState<readonly LimitDraft[]>(() => (queue.limits ?? []).map((one) => ({ ...limitDraft(one), max: withTypes(limitDraft(one).max) })));
  const edits = { limits: limits.length > 0 ? limits.map(limitValue) : undefined };
  return (
    <SectionDialog title={`Limits of ${queue.path}`} lead={meaning("queue", "limits")} home={{ partition, queue: queue.path }} edits={edits} atFields={/^limits(\[\d+\](\.(users|groups|maxresources(\..+)?|maxapplications))?)?$/} onClose={onClose}>
      {(errors) => (
        <Items name="Limit" items={limits} empty={{ ...emptyLimit, max: withTypes([]) }} onChange={setLimits}>
          {(limit, set, i) => <Limit limit={limit} errors={errors} at={`limits[${i + 1}]`} set={set} />}
        </Items>
      )}
    </SectionDialog>
  );
}

interface LimitProps {
  readonly limit: LimitDraft;
  readonly errors: Errors;
  /** Its key in the errors. */
  readonly at: string;
  readonly set: (part: Partial<LimitDraft>) => void;
}

function Limit({ limit, errors, at, set }: LimitProps) {
  return (
    <>
      <div class="form-row">
        <TextField label="Users" value={limit.users} placeholder="ann, bob, or * for all others" hint={meaning("limit", "users")} error={errors[`${at}.users`]} onInput={(users) => set({ users })} />
        <TextField label="Groups" value={limit.groups} placeholder="dev, ops" hint={meaning("limit", "groups")} error={errors[`${at}.groups`]} onInput={(groups) => set({ groups })} />
      </div>
      <Amounts legend="At most of each type" field={`${at}.maxresources`} value={limit.max} errors={errors} onChange={(max) => set({ max })} />
      <div class="form-row">
        <TextField label="Applications at most" inputMode="numeric" value={limit.applications} placeholder="no limit" error={errors[`${at}.maxapplications`]} onInput={(applications) => set({ applications })} />
        <TextField label="Description" value={limit.description} onInput={(description) => set({ description })} />
      </div>
      {errors[at] && <small class="field-error" role="alert">{errors[at]}</small>}
    </>
  );
}
