import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Amounts, Config, ConfigQueue } from "../engine/types";
import { Button } from "../ui/button";
import { Select } from "../ui/field";
import { count } from "../ui/format";
import { Menu, type MenuItem } from "../ui/menu";
import { Empty, Panel } from "../ui/panel";
import { accessWords, limitWords, ruleWords, templateWords } from "./lists";
import { partitionsOf, queuesOf } from "./changes";
import { broken, pending, sound } from "./checks";
import { AccessForm } from "./forms/access-form";
import { LimitsForm } from "./forms/limits-form";
import { RulesForm } from "./forms/rules-form";
import { TemplateForm } from "./forms/template-form";
import { goToQueue } from "./go-to-queue";
import { badges } from "./badges";
import { quantities } from "./quantity";

/** More queues than this are only counted: a longer list is not readable here. */
const most = 300;

/** A form that is open, and the queue that it is about; rules are about the partition. */
type Form = { readonly kind: "rules" } | { readonly kind: "limits" | "access" | "template"; readonly queue: ConfigQueue };

/** The queue tree that the text says, as of its last form without errors. */
export function Preview() {
  const [chosen, choose] = useState("");
  const [form, openForm] = useState<Form>();
  const partitions = sound.value ? partitionsOf(sound.value) : [];
  const config = partitions.find(({ partition }) => partition === chosen) ?? partitions[0];
  const name = config === partitions[0] ? undefined : config?.partition;
  const all = config ? queuesOf(config) : [];
  const kinds = new Map(pending.value.filter(({ partition }) => partition === name).map(({ queue, kind }) => [queue, kind]));
  return (
    <Panel title="Queues" class="configure-preview" tools={config && <small>{count(all.length, "queue")}{broken.value ? ", as of the last text without errors" : ""}</small>}>
      {partitions.length > 1 && (
        <Select label="Partition" value={config?.partition ?? ""} options={partitions.map(({ partition = "" }) => ({ value: partition, text: partition }))} onChange={choose} />
      )}
      {config && <Entries title="Placement rules" entries={(config.rules ?? []).map(ruleWords)} ordered />}
      {config && <p><Button small disabled={broken.value} title={broken.value ? needsSound : undefined} onClick={() => openForm({ kind: "rules" })}>Placement rules…</Button></p>}
      {all.length === 0 && <Empty>The tree is shown here once the text has no errors.</Empty>}
      <ul class="configure-tree">
        {all.slice(0, most).map((queue) => <li key={queue.path}><Row queue={queue} partition={name} kind={kinds.get(queue.path)} onForm={openForm} /></li>)}
      </ul>
      {all.length > most && <p class="configure-stale">and {count(all.length - most, "queue")} more</p>}
      {config && form && <FormOf form={form} config={config} partition={name} onClose={() => openForm(undefined)} />}
    </Panel>
  );
}

/** Forms begin with what the scheduler read. */
const needsSound = "Once the text has no errors";

interface FormOfProps {
  readonly form: Form;
  readonly config: Config;
  readonly partition: string | undefined;
  readonly onClose: () => void;
}

function FormOf({ form, config, partition, onClose }: FormOfProps) {
  switch (form.kind) {
    case "rules": return <RulesForm config={config} partition={partition} onClose={onClose} />;
    case "limits": return <LimitsForm queue={form.queue} partition={partition} onClose={onClose} />;
    case "access": return <AccessForm queue={form.queue} partition={partition} onClose={onClose} />;
    case "template": return <TemplateForm queue={form.queue} partition={partition} onClose={onClose} />;
  }
}

/** A list of the configuration, each entry in words. */
function Entries({ title, entries, ordered }: { readonly title: string; readonly entries: readonly string[]; readonly ordered?: boolean }) {
  if (entries.length === 0) return null;
  const List = ordered ? "ol" : "ul";
  return <div class="configure-entries"><small>{title}</small><List>{entries.map((entry) => <li key={entry}>{entry}</li>)}</List></div>;
}

interface RowProps {
  readonly queue: ConfigQueue;
  readonly partition: string | undefined;
  readonly kind: string | undefined;
  readonly onForm: (form: Form) => void;
}

function formsOf(queue: ConfigQueue, onForm: (form: Form) => void): MenuItem[] {
  const [disabled, hint] = broken.value ? [true, needsSound] : [false, undefined];
  return [
    { text: "Limits of users and groups…", disabled, hint, onPick: () => onForm({ kind: "limits", queue }) },
    { text: "Access…", disabled, hint, onPick: () => onForm({ kind: "access", queue }) },
    { text: "Child template…", disabled: disabled || queue.leaf === true, hint: hint ?? (queue.leaf ? "Dynamic queues are created below parents" : undefined), onPick: () => onForm({ kind: "template", queue }) },
  ];
}

function Row({ queue, partition, kind, onForm }: RowProps) {
  const depth = queue.path.split(".").length - 1;
  return (
    <div class="configure-queue" style={{ "--depth": String(depth) }}>
      <p>
        <button type="button" class="configure-link" aria-label={queue.path} title={queue.path} onClick={() => goToQueue(queue.path, partition)}>{queue.name}</button>
        {kind && <span class={`configure-badge configure-badge-${kind}`}>{kind}</span>}
        {badges(queue).map((badge) => <span key={badge} class="configure-badge">{badge}</span>)}
        <span class="configure-forms"><Menu label={`Change ${queue.path} by a form`} icon="more" items={formsOf(queue, onForm)} /></span>
      </p>
      <Set name="guaranteed" amounts={queue.guaranteed} />
      <Set name="max" amounts={queue.max} />
      <Said name="may submit" words={accessWords(queue.submitACL)} />
      <Said name="may administer" words={accessWords(queue.adminACL)} />
      <Said name="dynamic leaves below" words={templateWords(queue.template)} />
      <Entries title="Limits" entries={(queue.limits ?? []).map(limitWords)} />
    </div>
  );
}

function Said({ name, words }: { readonly name: string; readonly words: string | undefined }): ComponentChildren {
  return words === undefined ? null : <small><span>{name}</span> {words}</small>;
}

function Set({ name, amounts }: { readonly name: string; readonly amounts: Amounts | undefined }): ComponentChildren {
  const written = quantities(amounts);
  return written === "" ? null : <small><span>{name}</span> {written}</small>;
}
