import "./screens.css";
import type { ComponentChildren } from "preact";
import { actions } from "../state/run";
import { crash, notices, progress } from "../state/store";
import { Button } from "./button";
import { share } from "./format";
import { Mark } from "./icons";
import { save } from "./save";

/** While the scheduler is on its way, or did not come. Waiting: the names of files that open when it is there. */
export function Loading({ waiting }: { readonly waiting: readonly string[] }) {
  const failed = notices.value.filter((notice) => notice.kind === "error");
  if (failed.length > 0 && !progress.value) return <Failed why={failed.map((notice) => notice.text)} />;
  return (
    <Screen title="Quern playground">
      <p>{progress.value?.what ?? "Loading the scheduler"}</p>
      <Bar />
      <p role="status">{waiting.length > 0 && `${waiting.join(", ")} opens as soon as the scheduler is loaded.`}</p>
    </Screen>
  );
}

function Failed({ why }: { readonly why: readonly string[] }) {
  return (
    <Screen title="The scheduler could not be loaded">
      {why.map((text) => <p key={text} role="alert">{text}</p>)}
      <p>The page needs the file core.wasm.gz beside it. If the connection was interrupted, load the page again.</p>
      <Button kind="primary" onClick={() => location.reload()}>Load again</Button>
    </Screen>
  );
}

/** Where the browser cannot run it. */
export function Unsupported() {
  return (
    <Screen title="This browser cannot run the scheduler">
      <p>The playground runs the scheduler itself, as a WebAssembly module in a worker. This browser has no WebAssembly, or it is switched off.</p>
      <p>Any current version of Firefox, Chrome, Edge or Safari has it. Some browsers turn it off in a “lockdown” or “strict” mode: allow it for this page, and load the page again.</p>
    </Screen>
  );
}

/** When the scheduler has ended in the middle of something. */
export function Crash() {
  return (
    <Screen title="The scheduler stopped">
      <p>It ended because of a bug in Quern. The page has kept your journal. Restart the scheduler to play on.</p>
      {crash.value && <pre>{crash.value.message}</pre>}
      <div class="screen-acts">
        <Button kind="primary" icon="save" onClick={() => void exportJournal()}>Export the journal</Button>
        <Button onClick={() => location.reload()}>Restart</Button>
      </div>
      <p class="screen-small">The journal can be imported again after the start. Attach it to a report of the fault: it reproduces the session.</p>
    </Screen>
  );
}

/** A thin bar over the page while something long goes on, as an import. */
export function Working() {
  if (!progress.value) return null;
  return <div class="working"><Bar /><span>{progress.value.what}</span></div>;
}

async function exportJournal() {
  save("journal.jsonl", await actions.journal());
}

function Bar() {
  const done = progress.value?.share ?? 0;
  return (
    <div class="bar" role="progressbar" aria-label={progress.value?.what ?? "Loading"} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * done)} aria-valuetext={share(done)}>
      <span style={{ width: share(done) }} />
    </div>
  );
}

function Screen({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return <main class="screen"><Mark /><h1>{title}</h1>{children}</main>;
}
