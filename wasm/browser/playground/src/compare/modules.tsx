import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../ui/button";
import { Icon } from "../ui/icons";
import { amount } from "../ui/format";
import { candidates, examine, rest } from "./library";
import { ModuleCard } from "./module-card";
import { examineShipped, fetchShipped, shipped, unfetched } from "./shipped";

/** Bringing policy modules, and what gate and trial say of them. */
export function Modules() {
  useEffect(() => rest, []);
  return (
    <section class="compare-card" aria-labelledby="compare-modules">
      <h2 id="compare-modules">Policy modules</h2>
      <p class="compare-lead">
        A WebAssembly file that orders, scores or filters. It goes through the gate and a trial in a scheduler set apart; nothing of it leaves this page.
      </p>
      <Dropping />
      <ShippedList />
      {candidates.value.map((candidate) => <ModuleCard key={candidate.name} candidate={candidate} />)}
    </section>
  );
}

/** A place to drop files on, which is a button for choosing them, too. */
function Dropping() {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    for (const file of files ?? []) void examine(file);
  };
  const drop = (event: DragEvent) => {
    // The page takes drops of its own, and would take this one again.
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    take(event.dataTransfer?.files);
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div class={over ? "compare-drop compare-drop-over" : "compare-drop"} onDragOver={hover} onDragLeave={() => setOver(false)} onDrop={drop}>
      <Icon name="open" />
      <p>Drop .wasm files here</p>
      <Button onClick={() => input.current?.click()}>Choose files</Button>
      <input ref={input} type="file" accept=".wasm,application/wasm" multiple hidden aria-label="Module files"
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = ""; // the same file may be chosen again
        }} />
    </div>
  );
}

function ShippedList() {
  useEffect(() => void fetchShipped(), []);
  const list = shipped.value;
  if (unfetched.value !== "") return <p class="compare-note">The modules that come with the page could not be listed. {unfetched} <Button small onClick={() => void fetchShipped()}>Try again</Button></p>;
  if (!list) return <p class="compare-note">Loading the list of modules…</p>;
  if (list.length === 0) return <p class="compare-note">This site carries no modules of its own. The project builds some into <code>build/policies</code>.</p>;
  return (
    <details class="compare-shipped" open={candidates.value.length === 0}>
      <summary>Modules that come with the page</summary>
      <ul class="compare-shipped-list">
        {list.map((one) => (
          <li key={one.name}>
            <div>
              <b>{one.name}</b> <small>{one.language}, {amount("memory", one.bytes)}, {one.points.join(", ")}</small>
              <p>{one.summary}</p>
            </div>
            <Button small onClick={() => void examineShipped(one.name)}>Examine<span class="sr"> {one.name}</span></Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
