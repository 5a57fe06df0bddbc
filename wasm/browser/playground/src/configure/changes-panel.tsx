import { shownPath } from "../model/paths";
import { Button } from "../ui/button";
import { count } from "../ui/format";
import { Icon } from "../ui/icons";
import { Empty, Panel } from "../ui/panel";
import { appliable, apply, outcome } from "./apply";
import type { Change } from "./changes";
import { broken, fresh, pending } from "./checks";
import { draft, edited, running } from "./draft";
import { goToQueue } from "./go-to-queue";
import { problemsFound } from "./found";

/** What applying would do, and the button for it. */
export function Changes() {
  return (
    <Panel title="Changes" class="configure-changes" flush>
      <div class="configure-scroll"><List /></div>
      <Foot />
    </Panel>
  );
}

function List() {
  const all = pending.value;
  const nothing = all.length === 0;
  if (broken.value && nothing) return <Empty>Changes are listed here once the text has no errors.</Empty>;
  if (!edited.value || (!fresh.value && nothing)) return <Empty>Applied configuration</Empty>;
  if (nothing) return <Empty>The text differs from the applied configuration, but means the same.</Empty>;
  return (
    <>
      {broken.value && <p class="configure-stale">As of the last text without errors.</p>}
      <ul class="configure-list">{all.map((change) => <li key={`${change.kind} ${change.partition ?? ""} ${change.queue ?? ""}`}><Row {...change} /></li>)}</ul>
    </>
  );
}

function Row({ kind, partition, queue, words }: Change) {
  const name = queue === undefined ? `partition ${partition ?? ""}`.trim() : shownPath(partition, queue);
  return (
    <div class="configure-change">
      <p>
        <span class={`configure-badge configure-badge-${kind}`}>{kind}</span>
        {queue !== undefined && kind !== "gone" ? <button type="button" class="configure-link" onClick={() => goToQueue(queue, partition)}>{name}</button> : <b>{name}</b>}
      </p>
      {words.length > 0 && <ul class="configure-what">{words.map((line) => <li key={line}>{line}</li>)}</ul>}
    </div>
  );
}

function Foot() {
  return (
    <footer class="configure-foot">
      <Came />
      <div class="configure-act">
        <small>{advice()}</small>
        <Button onClick={() => (draft.value = running.value)} disabled={!edited.value}>Revert</Button>
        <Button kind="primary" icon="good" disabled={!appliable.value} onClick={() => void apply()}>Apply</Button>
      </div>
    </footer>
  );
}

function advice(): string {
  const errors = problemsFound.value.filter((p) => p.severity === "error").length;
  if (!edited.value) return "Nothing to apply.";
  return errors > 0 ? `Fix ${count(errors, "error")} first.` : "All of it, or nothing.";
}

/** What came of applying, as long as the text is the one that was applied. */
function Came() {
  const came = outcome.value;
  return (
    <div role="status">
      {came?.of === draft.value && (
        <div class={came.accepted ? "configure-came configure-came-good" : "configure-came configure-came-bad"}>
          <p><Icon name={came.accepted ? "good" : "bad"} />{came.accepted ? "Applied. It is in force." : "Rejected. Nothing has changed."}</p>
          {came.words.length > 0 && <ul>{came.words.map((line) => <li key={line}>{line}</li>)}</ul>}
        </div>
      )}
    </div>
  );
}
