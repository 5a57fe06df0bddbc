import { useState } from "preact/hooks";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Check, Field } from "../ui/field";
import { give, token, wanted } from "./host/token";

/** Asks for a token where the host wants one. */
export function TokenDialog() {
  if (wanted.value === "no") return null;
  return <Form refused={wanted.value === "refused"} />;
}

function Form({ refused }: { readonly refused: boolean }) {
  const [text, setText] = useState("");
  const [keep, setKeep] = useState(false);
  const send = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "") give(text.trim(), keep);
  };
  const lead = "It is kept only in this page, and sent only to this host, in a header.";
  return (
    <Dialog title="This host requires a token" lead={lead} onClose={() => (wanted.value = "no")}>
      <form class="token" onSubmit={send}>
        <Field label="Token" error={refused && token.peek() !== "" ? "The host refuses the token that was sent" : undefined}>
          {(ids) => <input {...ids} type="password" autocomplete="off" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />}
        </Field>
        <Check label="Keep it until this tab is closed" hint="Otherwise it is lost when the page is reloaded." checked={keep} onChange={setKeep} />
        <footer class="dialog-foot"><Button kind="primary" type="submit" disabled={text.trim() === ""}>Use this token</Button></footer>
      </form>
    </Dialog>
  );
}
