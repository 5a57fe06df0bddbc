import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { Empty, Panel } from "../../ui/panel";
import type { Difference } from "./host";
import { adopt, appliable, apply, draft, edited, fresh, inForce, known, outcome, overtaken, running, tried, unknownWords } from "./work";

/** What applying would do, as the host tells in a dry run, and the button for it. */
export function Changes() {
  return (
    <Panel title="Changes" class="configure-changes" flush>
      <div class="configure-scroll"><List /></div>
      <footer class="configure-foot">
        <Overtaken />
        <Came />
        <div class="configure-act">
          <small>{advice()}</small>
          <Button onClick={() => (draft.value = running.value)} disabled={!edited.value}>Revert</Button>
          <Button kind="primary" icon="good" disabled={!appliable.value} onClick={() => void apply()}>Apply</Button>
        </div>
      </footer>
    </Panel>
  );
}

function List() {
  if (!known.value) return <Empty>{unknownWords}</Empty>;
  if (!edited.value) return <Empty>This is the configuration in force.</Empty>;
  const { trial, problem } = tried.value ?? {};
  if (problem && fresh.value) return <Empty>Changes are listed here once the text has no errors.</Empty>;
  if (!trial || !fresh.value) return <Empty>The host is checking it…</Empty>;
  if (trial.differences === undefined) return <Empty>The text is valid. Applying it takes another role.</Empty>;
  if (trial.differences.length === 0) return <Empty>The text differs from the configuration in force, but means the same.</Empty>;
  return <ul class="configure-list">{byQueue(trial.differences).map(([queue, list]) => <li key={queue}><Row queue={queue} list={list} /></li>)}</ul>;
}

/** Differences by queue, in the order in which the host tells them. */
export function byQueue(differences: readonly Difference[]): [queue: string, list: readonly Difference[]][] {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) {
    const queue = one.queue ?? "";
    const list = groups.get(queue);
    if (list) list.push(one);
    else groups.set(queue, [one]);
  }
  return [...groups];
}

const badges = { added: ["new", "new"], removed: ["gone", "gone"], changed: ["changed", "changed"] } as const;

function Row({ queue, list }: { readonly queue: string; readonly list: readonly Difference[] }) {
  const whole = list.find(({ key }) => key === undefined);
  const [look, text] = badges[whole?.change ?? "changed"];
  return (
    <div class="configure-change">
      <p><span class={`configure-badge configure-badge-${look}`}>{text}</span><b>{queue === "" ? "partition" : queue}</b></p>
      <ul class="configure-what">{list.filter(({ key }) => key !== undefined).map((one) => <li key={one.key}>{wordsOf(one)}</li>)}</ul>
    </div>
  );
}

export function wordsOf({ key = "", change, from = "", to = "" }: Difference): string {
  switch (change) {
    case "added": return `${key}: ${to}`;
    case "removed": return `${key}: no longer ${from}`;
    case "changed": return `${key}: ${from} → ${to}`;
  }
}

function advice(): string {
  if (!edited.value) return "Nothing to apply.";
  if (overtaken.value) return "Choose what to do with your text first.";
  return tried.value?.problem && fresh.value ? "Fix the errors first." : "All of it, or nothing.";
}

/** Another configuration was put in force since the draft was begun: applying would take that back. */
function Overtaken() {
  if (!overtaken.value || !edited.value) return null;
  return (
    <div class="configure-came configure-came-bad" role="alert">
      <p><Icon name="warn" />Another configuration was put in force meanwhile.</p>
      <p class="configuration-choice">
        <Button small onClick={() => adopt(draft.peek())}>Compare my text with it</Button>
        <Button small onClick={() => adopt(inForce.peek()?.configuration ?? running.peek())}>Drop my text</Button>
      </p>
    </div>
  );
}

const came = {
  applied: ["good", "configure-came-good", "Applied. It is in force."],
  refused: ["bad", "configure-came-bad", "Rejected. The configuration in force is unchanged."],
  overtaken: ["warn", "configure-came-bad", "Not applied: the configuration has changed in the meantime. Your change has no effect."],
} as const;

/** What came of applying, as long as the text is the one that was applied. */
function Came() {
  const last = outcome.value;
  if (last?.of.text !== draft.value.text) return <div role="status" />;
  const [icon, look, text] = came[last.kind];
  return (
    <div role="status">
      <div class={`configure-came ${look}`}>
        <p><Icon name={icon} />{text}</p>
        {last.words.length > 0 && <ul>{last.words.map((line) => <li key={line}>{line}</li>)}</ul>}
      </div>
    </div>
  );
}
