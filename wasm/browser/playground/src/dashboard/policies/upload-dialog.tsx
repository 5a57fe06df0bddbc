import { useState } from "preact/hooks";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { count } from "../../ui/format";
import { Icon } from "../../ui/icons";
import { wordsOf } from "../host/api";
import type { PolicyObject } from "../host/objects";
import { upload, type Upload, type Uploads } from "./files";

interface UploadDialogProps {
  readonly uploads: Uploads;
  /** What the host has. */
  readonly known: readonly PolicyObject[];
  /** Says that the folder has changed. */
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Says what would be written, writes it when told to, and says what the host made of each module. */
export function UploadDialog({ uploads: { list, others }, known, onChange, onClose }: UploadDialogProps) {
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map()); // by module; "": it was taken
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    for (const one of list) {
      const refusal = await upload(one).then(() => "", wordsOf);
      setResults((before) => new Map(before).set(one.name, refusal));
    }
    setBusy(false);
    onChange();
  };
  const begun = busy || results.size > 0;
  return (
    <Dialog title="Upload policy modules" lead="The host checks each module before it serves. A refused module changes nothing." onClose={onClose}>
      <ul class="rows policy-uploads">
        {list.map((one) => (
          <li key={one.name}>
            <p><b>{one.name}</b> <small>{what(one)}</small></p>
            <Result text={results.get(one.name)} before={known.find(({ policy }) => policy === one.name)} />
          </li>
        ))}
        {others.map((name) => <li key={name}><p><b>{name}</b></p><p class="bad"><Icon name="bad" /> It is neither a module (.wasm) nor settings (.toml), and stays here.</p></li>)}
      </ul>
      <footer class="dialog-foot">
        {begun ? <Button kind="primary" disabled={busy} onClick={onClose}>Close</Button> : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" icon="open" disabled={list.length === 0} onClick={() => void run()}>{`Upload ${count(list.length, "module")}`}</Button>
          </>
        )}
      </footer>
    </Dialog>
  );
}

function what({ module, settings }: Upload): string {
  return module ? (settings ? "module and settings" : "module") : "settings";
}

/** What comes of a module: before it is sent, what it would take the place of. */
function Result({ text, before }: { readonly text: string | undefined; readonly before: PolicyObject | undefined }) {
  if (text === "") return <p class="good"><Icon name="good" /> The host has accepted it.</p>;
  if (text !== undefined) return <p class="bad" role="alert"><Icon name="bad" /> {text}</p>;
  return <p><small>{before && before.state !== "refused" ? "Replaces the current version, which is kept for a rollback." : "New."}</small></p>;
}
