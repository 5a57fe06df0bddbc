import { useState } from "preact/hooks";
import { pickFiles } from "../../share/pick";
import { Button } from "../../ui/button";
import { Drop } from "../../ui/drop";
import { whole } from "../../ui/format";
import { Empty } from "../../ui/panel";
import { Failure } from "../failure";
import { useFetched } from "../fetched";
import { wordsOf } from "../host/api";
import type { PolicyObject } from "../host/objects";
import { addressOf, go, place } from "../route";
import { Split } from "../split";
import { Detail, states } from "./detail";
import { readFolder, rollBack, uploadsOf, type Folder, type Uploads } from "./files";
import { UploadDialog } from "./upload-dialog";

/** Modules come and go without a decision: so many milliseconds apart they are looked at. */
const beat = 5000;

/** Why the folder cannot be changed from here. */
const barriers: Readonly<Record<Folder["upload"], string>> = {
  allowed: "",
  denied: "Your role may view policies. Only administrators may upload, roll back and remove them.",
  off: "Uploads are off: the host was started without --policy-upload.",
};

/** The policy modules: what serves, what failed, what was refused, and what shadows would have done. */
export function Policies() {
  const { name } = place.value;
  const { value, failure, reload } = useFetched("policies", readFolder, beat);
  const [uploads, offer] = useState<Uploads>();
  const [removed, setRemoved] = useState("");
  const picked = value?.items.find(({ policy }) => policy === name);
  const changes = value?.upload === "allowed";
  const take = (files: readonly File[]) => { if (files.length > 0) offer(uploadsOf(files)); };
  const gone = () => {
    setRemoved(name);
    go(addressOf("policies"));
    reload();
  };
  return (
    <>
      <Split title="Policies"
        tools={changes && <Button small icon="open" onClick={() => void pickFiles(".wasm,.toml").then(take)}>Upload…</Button>}
        list={value ? (
          <>
            {failure !== undefined && <Failure of={failure} onRetry={reload} />}
            {removed !== "" && <Removed name={removed} onChange={reload} onClose={() => setRemoved("")} />}
            <List of={value.items} picked={name} />
            <p class="note">{barriers[value.upload] || "Drop modules (.wasm) and their settings (.toml) anywhere on this page to upload them."}</p>
          </>
        ) : failure === undefined ? <Empty>Loading…</Empty> : <Failure of={failure} onRetry={reload} />}
        detail={picked && { kind: "Policy", name, close: addressOf("policies"), content: <Detail key={name} of={picked} changes={changes} onChange={reload} onRemoved={gone} /> }} />
      {changes && <Drop invites="Drop to upload policy modules" take={take} />}
      {uploads && <UploadDialog uploads={uploads} known={value?.items ?? []} onChange={reload} onClose={() => offer(undefined)} />}
    </>
  );
}

/** Says that a module was removed, and takes that back. */
function Removed({ name, onChange, onClose }: { readonly name: string; readonly onChange: () => void; readonly onClose: () => void }) {
  const [failed, setFailed] = useState("");
  const back = () => rollBack(name).then(() => {
    onClose();
    onChange();
  }, (thrown: unknown) => { setFailed(wordsOf(thrown)); });
  return (
    <p class="banner" role="status">
      <span>{failed || `${name} was removed.`}</span>
      <Button small icon="back" onClick={() => void back()}>Put it back</Button>
      <Button small onClick={onClose}>Close</Button>
    </p>
  );
}

function List({ of, picked }: { readonly of: readonly PolicyObject[]; readonly picked: string }) {
  if (of.length === 0) return <Empty>This host has no policy modules: built-in policies decide. <code>quern serve --policies</code> names a folder of modules.</Empty>;
  return (
    <div class="listing" role="region" aria-label="Policies" tabIndex={0}>
      <table>
        <caption class="sr">Policies</caption>
        <thead><tr><th scope="col">Policy</th><th scope="col">State</th><th scope="col" class="wide">Points</th><th scope="col" class="figure">Calls</th><th scope="col" class="figure">Faults</th></tr></thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.policy} class={one.policy === picked ? "picked" : undefined}>
              <th scope="row"><a href={addressOf("policies", one.policy)} aria-current={one.policy === picked ? "true" : undefined}>{one.policy}</a></th>
              <td data-name="State" class={one.state === "quarantined" || one.refused ? "bad" : undefined}>{states[one.state]}{one.refused && one.state !== "refused" && "; a newer version was refused"}</td>
              <td data-name="Points" class="wide">{one.points.join(", ")}</td>
              <td data-name="Calls" class="figure">{whole(one.calls)}</td>
              <td data-name="Faults" class="figure">{whole(one.faults)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
