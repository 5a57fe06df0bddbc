import { Empty } from "../ui/panel";
import type { Played, Status } from "./answers";
import { played, playing, stale } from "./draft";
import { goTo } from "./editor";
import { signs } from "./marks";
import { load, stage } from "./runner";
import { Button } from "../ui/button";

/** The result of the scenarios of the last run. */
export function Results() {
  const outcome = played.value;
  return (
    <div class="scenarios-results">
      <div role="status" class="scenarios-summary"><Summary /></div>
      {outcome && outcome.errors.length > 0 && (
        <ul class="scenarios-errors">
          {outcome.errors.map(({ line, message }) => (
            <li key={`${line} ${message}`}><button type="button" onClick={() => goTo(line)}><b>Line {line}</b>{message}</button></li>
          ))}
        </ul>
      )}
      {outcome && outcome.scenarios.length > 0 && <ol class="scenarios-list">{outcome.scenarios.map((p) => <Scenario key={`${p.line}-${p.example ?? 0}`} played={p} />)}</ol>}
    </div>
  );
}

function Summary() {
  const now = stage.value;
  if (playing.value) return <p class="scenarios-busy"><span aria-hidden="true" />Running {playing.value}…</p>;
  if (now.is === "loading") return <Loading share={now.share} waits={now.waits} />;
  if (now.is === "broken" && !played.value) return <Broken why={now.why} />;
  const outcome = played.value;
  if (!outcome) return <Empty>Nothing has been run yet. “Run all” plays every scenario on its own scheduler, apart from the cluster of this page.</Empty>;
  if (outcome.ended !== undefined) return <p class="scenarios-bad">{outcome.ended}</p>;
  if (outcome.errors.length > 0) return <p class="scenarios-bad">This is not a valid feature yet.</p>;
  return (
    <>
      <p class={outcome.scenarios.every(({ status }) => status === "passed" || status === "skipped") ? "scenarios-good" : "scenarios-bad"}>{counted(outcome.scenarios)}</p>
      {stale.value && <p class="scenarios-stale">The text has changed since.</p>}
    </>
  );
}

function Loading({ share, waits }: { readonly share: number; readonly waits: string | undefined }) {
  return (
    <label class="scenarios-loading">{waits ? `Waiting for the runner of features: ${waits}` : "Loading the runner of features"}
      {Number.isNaN(share) ? <progress /> : <progress value={share} />}
    </label>
  );
}

function Broken({ why }: { readonly why: string }) {
  return (
    <Empty>
      <p>The runner of features could not be loaded: {why}.</p>
      <Button small onClick={() => { load().catch(() => undefined); }}>Try again</Button>
    </Empty>
  );
}

function Scenario({ played: { name, line, example, status, message, steps } }: { readonly played: Played }) {
  const stopped = steps.find((step) => step.status !== "passed");
  return (
    <li>
      <button type="button" class="scenarios-row" onClick={() => goTo(stopped?.line ?? line)}>
        <span class={`scenarios-sign scenarios-${status ?? "skipped"}`} aria-hidden="true">{status && signs[status]}</span>
        <span class="scenarios-name">{name}{example !== undefined && <small> line {example}</small>}</span>
        <span class="scenarios-status">{status}</span>
        {message && <span class="scenarios-why">{message.split("\n")[0]}{stopped?.nearest && `\nThe nearest sentence: ${stopped.nearest}`}</span>}
      </button>
    </li>
  );
}

/** "5 scenarios: 4 passed, 1 failed". */
function counted(scenarios: readonly Played[]): string {
  const counts = new Map<Status, number>();
  for (const { status = "skipped" } of scenarios) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (scenarios.length === 0) return "There is no scenario to run.";
  const parts = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return `${scenarios.length} ${scenarios.length === 1 ? "scenario" : "scenarios"}: ${parts}`;
}
