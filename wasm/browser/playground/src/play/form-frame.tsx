import "./form.css";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { actions } from "../state/run";
import { notices } from "../state/store";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { form } from "./form";
import type { Checked } from "./form-drafts";
import type { Errors } from "./form-reader";

interface FormFrameProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly wide?: boolean;
  /** What the button of the form says. */
  readonly act: string;
  readonly check: () => Checked;
  /** Does it; where it is left out, the inputs are fed. False: it was refused. */
  readonly send?: () => Promise<boolean>;
  readonly children: (errors: Errors) => ComponentChildren;
}

/** A dialog around a form. It closes when all of it has happened; otherwise it stays, with what was written and what is wrong. */
export function FormFrame({ title, lead, wide, act, check, send, children }: FormFrameProps) {
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState("");
  const [busy, setBusy] = useState(false);
  const checked = tried ? check() : undefined;
  const errors = checked && "errors" in checked ? checked.errors : {};
  const close = () => (form.value = undefined);

  const submit = async () => {
    setTried(true);
    const now = check();
    setRefusal("");
    if ("errors" in now) return;
    setBusy(true);
    const last = notices.value.at(-1)?.id ?? -1;
    const taken = send ? await send() : await actions.feed(now.inputs);
    const complaints = notices.value.filter((notice) => notice.id > last && notice.kind === "error");
    setBusy(false);
    if (taken && complaints.length === 0) {
      close();
      return;
    }
    // They are told here, where they can be seen beside what was written.
    notices.value = notices.value.filter((notice) => !complaints.includes(notice));
    setRefusal(complaints.map((notice) => notice.text).join("\n") || "The scheduler rejected it.");
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void submit();
  };

  return (
    <Dialog title={title} lead={lead} wide={wide} onClose={close}>
      <form class="form" noValidate onSubmit={onSubmit}>
        {children(errors)}
        {refusal && <p class="form-refusal" role="alert">{refusal}</p>}
        {Object.keys(errors).length > 0 && <p class="form-refusal" role="alert">Some of it cannot be read yet; see the fields above.</p>}
        <div class="dialog-foot">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={busy}>{act}</Button>
        </div>
      </form>
    </Dialog>
  );
}
