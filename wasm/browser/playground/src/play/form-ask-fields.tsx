import { actions } from "../state/run";
import { Check, TextField } from "../ui/field";
import { amountDrafts, AmountFields } from "./form-amounts";
import type { AskDraft } from "./form-drafts";
import { askIds, freeName } from "./form-names";
import type { Errors } from "./form-reader";

/** What to begin with for asks of an application. */
export function askDraft(app: string): AskDraft {
  return {
    id: freeAskId(app), count: "1", resources: amountDrafts({ vcore: "1", memory: "2Gi" }), priority: "0", node: "", constraints: "", run: "",
    originator: false, preemptsOthers: true, preemptable: true,
    taskGroup: "", placeholder: false, atomic: false, gang: "", gangMin: "2", gangTimeout: "", gangFallback: false,
  };
}

/** An ID whose numbered ones are free as well. */
export function freeAskId(app: string): string {
  const { asks } = actions.model();
  return freeName(`${app || "app"}-ask`, (id) => asks.has(id) || asks.has(`${id}-1`));
}

interface AskFieldsProps {
  readonly value: AskDraft;
  readonly errors: Errors;
  readonly onChange: (value: AskDraft) => void;
}

/** The fields of an ask.add. */
export function AskFields({ value, errors, onChange }: AskFieldsProps) {
  const set = (part: Partial<AskDraft>) => onChange({ ...value, ...part });
  const names = askIds(value.id.trim(), Math.min(3, Math.max(1, Number(value.count) || 1)));
  return (
    <>
      <div class="form-row form-row-lead">
        <TextField label="ID of the ask" value={value.id} error={errors["ask.id"]} hint={names.length > 1 ? `It stands for ${names.join(", ")}${Number(value.count) > 3 ? ", …" : ""}` : undefined} onInput={(id) => set({ id })} />
        <TextField label="How many" inputMode="numeric" value={value.count} error={errors["ask.count"]} onInput={(count) => set({ count })} />
      </div>
      <AmountFields legend="Resources of each" field="ask.resources" value={value.resources} errors={errors} onChange={(resources) => set({ resources })} />
      <div class="form-row">
        <TextField label="Priority" inputMode="numeric" value={value.priority} error={errors["ask.priority"]} hint="Higher comes first." onInput={(priority) => set({ priority })} />
        <TextField label="Runs for" value={value.run} error={errors["ask.run"]} placeholder="forever" hint="90s, 5m, 1h30m" onInput={(run) => set({ run })} />
      </div>
      <details class="form-more" open={["ask.node", "ask.constraints"].some((field) => field in errors) || undefined}>
        <summary>Placement and preemption</summary>
        <div class="form">
          <div class="form-row">
            <TextField label="Only on this node" value={value.node} error={errors["ask.node"]} placeholder="any" among={[...actions.model().nodes.keys()].slice(0, 200)} onInput={(node) => set({ node })} />
            <TextField label="Only where attributes are" value={value.constraints} error={errors["ask.constraints"]} placeholder="zone=a|b, disk=ssd" onInput={(constraints) => set({ constraints })} />
          </div>
          <div>
            <Check label="Is the originator" hint="Other tasks of its application depend on it: preempted only when nothing else is enough." checked={value.originator} onChange={(originator) => set({ originator })} />
            <Check label="May preempt others" checked={value.preemptsOthers} onChange={(preemptsOthers) => set({ preemptsOthers })} />
            <Check label="May be preempted" hint="Off: preempted only when other victims are not enough." checked={value.preemptable} onChange={(preemptable) => set({ preemptable })} />
          </div>
        </div>
      </details>
      <GangFields value={value} errors={errors} set={set} />
    </>
  );
}

/** What makes an ask a placeholder or a task of a gang, or a member of an atomic one. */
function GangFields({ value, errors, set }: { readonly value: AskDraft; readonly errors: Errors; readonly set: (part: Partial<AskDraft>) => void }) {
  const wrong = ["ask.taskGroup", "ask.gang", "ask.gangMin", "ask.gangTimeout"].some((field) => field in errors);
  return (
    <details class="form-more" open={wrong || value.placeholder || value.atomic || undefined}>
      <summary>Gangs</summary>
      <div class="form">
        <TextField label="Task group" value={value.taskGroup} error={errors["ask.taskGroup"]} placeholder="none" hint="In a gang application. Tasks replace placeholders of the same group." onInput={(taskGroup) => set({ taskGroup })} />
        <Check label="Is a placeholder" hint="It holds resources for a task of its group, until the task replaces it or it times out." checked={value.placeholder} onChange={(placeholder) => set({ placeholder })} />
        <Check label="Member of an atomic gang" hint="At least this many members are placed by one decision, or none." checked={value.atomic} onChange={(atomic) => set({ atomic })} />
        {value.atomic && (
          <div class="form-row">
            <TextField label="Name of the gang" value={value.gang} error={errors["ask.gang"]} placeholder="ranks" onInput={(gang) => set({ gang })} />
            <TextField label="At least" inputMode="numeric" value={value.gangMin} error={errors["ask.gangMin"]} onInput={(gangMin) => set({ gangMin })} />
            <TextField label="Gives up after" value={value.gangTimeout} error={errors["ask.gangTimeout"]} placeholder="never" hint="90s, 5m, 1h30m" onInput={(gangTimeout) => set({ gangTimeout })} />
          </div>
        )}
        {value.atomic && value.gangTimeout.trim() !== "" && (
          <Check label="Then its members are placed one by one" hint="Off: its pending members are rejected." checked={value.gangFallback} onChange={(gangFallback) => set({ gangFallback })} />
        )}
      </div>
    </details>
  );
}
