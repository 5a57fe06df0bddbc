import { useState } from "preact/hooks";
import type { Config } from "../../engine/types";
import type { Errors } from "../../play/form-reader";
import { Check, Select, TextField } from "../../ui/field";
import { emptyRule, ruleDraft, ruleValue, type RuleDraft } from "../rewrite/sections";
import { Items } from "./items";
import { choices, meaning } from "./meanings";
import { SectionDialog } from "./section-dialog";

interface RulesFormProps {
  readonly config: Config;
  readonly partition: string | undefined;
  readonly onClose: () => void;
}

/** The placement rules of a partition, in their order. */
export function RulesForm({ config, partition, onClose }: RulesFormProps) {
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => (config.rules ?? []).map(ruleDraft));
  const edits = { placementrules: rules.length > 0 ? rules.map(ruleValue) : undefined };
  return (
    <SectionDialog title="Placement rules" lead={meaning("partition", "placementrules")} home={{ partition }} edits={edits} atFields={/^placementrules\[\d+\]\.(parent\.)*(name|value|create|parent|filter\.(type|users|groups))$/} onClose={onClose}>
      {(errors) => (
        <Items name="Rule" items={rules} empty={emptyRule} onChange={setRules}>
          {(rule, set, i) => <Rule rule={rule} errors={errors} at={`placementrules[${i + 1}]`} set={set} />}
        </Items>
      )}
    </SectionDialog>
  );
}

interface RuleProps {
  readonly rule: RuleDraft;
  readonly errors: Errors;
  /** Its key in the errors. */
  readonly at: string;
  readonly set: (part: Partial<RuleDraft>) => void;
}

const kinds: Readonly<Record<string, string>> = {
  provided: "The queue that the application names (provided)", user: "Its user (user)", tag: "One of its tags (tag)", fixed: "A name of its own (fixed)",
};
const filters = [{ value: "none", text: "All users" }, { value: "allow", text: "Only these (allow)" }, { value: "deny", text: "All but these (deny)" }] as const;

function Rule({ rule, errors, at, set }: RuleProps) {
  const takesValue = rule.name === "tag" || rule.name === "fixed" || rule.value !== "";
  return (
    <>
      <div class="form-row">
        <Select label="The queue is named by" value={rule.name} options={choices("placement rule", "name").map((value) => ({ value, text: kinds[value] ?? value }))} error={errors[`${at}.name`]} onChange={(name) => set({ name })} />
        {takesValue && <TextField label={rule.name === "tag" ? "Name of the tag" : "Queue"} value={rule.value} placeholder={rule.name === "tag" ? "namespace" : "users"} error={errors[`${at}.value`]} onInput={(value) => set({ value })} />}
      </div>
      <Check label="Create the queue if it does not exist" checked={rule.create} onChange={(create) => set({ create })} />
      <Filter rule={rule} errors={errors} at={at} set={set} />
      <Check label="Below the queue of another rule" hint={meaning("placement rule", "parent")} checked={rule.parent !== undefined} onChange={(on) => set({ parent: on ? { ...emptyRule, name: "fixed" } : undefined })} />
      {errors[`${at}.parent`] && <small class="field-error" role="alert">{errors[`${at}.parent`]}</small>}
      {rule.parent && (
        <fieldset class="form form-item" aria-label="The rule above">
          <Rule rule={rule.parent} errors={errors} at={`${at}.parent`} set={(part) => set({ parent: { ...emptyRule, ...rule.parent, ...part } })} />
        </fieldset>
      )}
    </>
  );
}

function Filter({ rule, errors, at, set }: RuleProps) {
  return (
    <div class="form-row">
      <Select label="It is for" value={rule.filter} options={filters} error={errors[`${at}.filter.type`]} onChange={(filter) => set({ filter })} />
      {rule.filter !== "none" && (
        <>
          <TextField label="Users" value={rule.users} placeholder="ann, bob, or ^dev-" error={errors[`${at}.filter.users`]} onInput={(users) => set({ users })} />
          <TextField label="Groups" value={rule.groups} placeholder="dev, ops" error={errors[`${at}.filter.groups`]} onInput={(groups) => set({ groups })} />
        </>
      )}
    </div>
  );
}
