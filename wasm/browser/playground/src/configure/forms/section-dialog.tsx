import "../../play/form.css";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConfigError } from "../../engine/types";
import type { Errors } from "../../play/form-reader";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { check, sound, type Checked } from "../checks";
import { draft } from "../draft";
import { about } from "../problems";
import { sameBeside } from "../rewrite/beside";
import { rewrite, type Edits, type Home } from "../rewrite/rewrite";

/** How long nothing is changed before the scheduler is asked, in milliseconds. */
const rest = 150;

interface SectionDialogProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  readonly home: Home;
  readonly edits: Edits;
  /** The keys whose errors stand at fields. */
  readonly atFields: RegExp;
  readonly onClose: () => void;
  readonly children: (errors: Errors) => ComponentChildren;
}

/** A form for a part of the configuration. The scheduler checks the whole text as it would be; once it has no error it can take the place of the draft. */
export function SectionDialog({ title, lead, home, edits, atFields, onClose, children }: SectionDialogProps) {
  const candidate = rewrite(draft.value, home, useChanges(edits));
  const checked = useChecked(candidate);
  const { configuration, errors = [] } = checked?.answer ?? {};
  const own = errors.filter((error) => isAbout(error, home) && atFields.test(fieldOf(error)));
  const foreign = configuration !== undefined && sound.value !== undefined && !sameBeside(sound.value, configuration, home, Object.keys(edits));
  const complaints = [
    ...(candidate ? [] : ["The text does not name this queue, so the form cannot change it. Add it to the text first."]),
    ...(foreign ? ["The form cannot change this text without changing other settings. Use the editor."] : []),
    ...(checked?.refusal === undefined ? [] : [checked.refusal]),
    ...errors.filter((error) => !own.includes(error)).map((error) => `${about(error.queue ?? "", error.key ?? "")}: ${wrong(error)}`),
  ];
  const ready = candidate !== undefined && configuration !== undefined && !foreign;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!ready) return;
    draft.value = candidate;
    onClose();
  };
  return (
    <Dialog title={title} lead={lead} wide onClose={onClose}>
      <form class="form" noValidate onSubmit={submit}>
        {children(byField(own))}
        {complaints.length > 0 && <div class="form-refusal" role="alert">{complaints.map((one) => <p key={one}>{one}</p>)}</div>}
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!ready}>Put into the text</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The keys that are to be written: those that have another value than at first. Unchanged keys keep their form and their comments. */
function useChanges(edits: Edits): Edits {
  const first = useRef(edits).current;
  return Object.fromEntries(Object.entries(edits).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(first[key])));
}

/** What the scheduler says of a text; undefined: nothing yet. */
function useChecked(candidate: Checked["of"] | undefined): Checked | undefined {
  const [checked, setChecked] = useState<Checked>();
  useEffect(() => {
    if (!candidate) return undefined;
    let overtaken = false;
    const timer = setTimeout(() => {
      void check(candidate).then((found) => { if (!overtaken) setChecked(found); });
    }, rest);
    return () => {
      overtaken = true;
      clearTimeout(timer);
    };
  }, [candidate?.text]);
  return checked?.of.text === candidate?.text ? checked : undefined;
}

/** Limits of root may stand in the partition. */
function isAbout({ queue }: ConfigError, home: Home): boolean {
  return queue === (home.queue ?? "partition") || (home.queue === "root" && queue === "partition");
}

/** What is wrong with each field. */
function byField(errors: readonly ConfigError[]): Errors {
  const found: Record<string, string> = {};
  for (const error of errors) found[fieldOf(error)] = [found[fieldOf(error)], wrong(error)].filter(Boolean).join(" ");
  return found;
}

/** The key of a field: that of an entry of it is told there too. */
function fieldOf({ key = "" }: ConfigError): string {
  return key.replace(/(\.\w+)\[\d+\]$/, "$1");
}

function wrong({ expected = "", found = "" }: ConfigError): string {
  return `Expected ${expected}, found ${found}.`;
}
