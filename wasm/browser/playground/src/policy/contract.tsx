import { Button } from "../ui/button";
import { count } from "../ui/format";
import { Icon } from "../ui/icons";
import { Panel } from "../ui/panel";
import type { Check } from "./tester";
import { built, cancel, checkContract, checked, checking } from "./work";

/** The checks of `quern policy test`, which the module is held to on request. */
export function Contract() {
  const now = checked.value;
  return (
    <Panel title="Contract" class="policy-contract" tools={checking.value
      ? <Button small icon="close" onClick={cancel}>Stop</Button>
      : <Button small icon="good" disabled={!built.value} onClick={() => { void checkContract(); }}>Check</Button>}>
      <p role="status" class="policy-note">{words()}</p>
      {now && now.list.length > 0 && <ul class="policy-checks" aria-label="Checks of the contract">{now.list.map((check) => <Row key={check.check} {...check} />)}</ul>}
    </Panel>
  );
}

function words(): string {
  const now = checked.value;
  if (!now) return "Checks the module against the contract of policies, as quern policy test does. This takes some seconds.";
  const failures = now.list.filter(({ result }) => result === "failed").length;
  if (now.ended) return `Stopped after ${count(now.list.length, "check")}: ${now.ended}.`;
  if (checking.value) return `${now.list.length} of ${count(now.of, "check")}…`;
  return failures === 0 ? `It meets the contract: ${count(now.of, "check")}, none failed.` : `${count(failures, "check")} of ${now.of} failed.`;
}

const looks = { ok: "none", failed: "error", skipped: "line" } as const;

function Row({ check, result, expected, found, note }: Check) {
  return (
    <li>
      <span class={`policy-${looks[result]}`}>{result === "skipped" ? "–" : <Icon name={result === "ok" ? "good" : "bad"} />}<span class="sr">{result}: </span></span>
      <span class="policy-words">
        {check}
        {result === "failed" && <small>expected {expected}, found {found}</small>}
        {note && <small>{note}</small>}
      </span>
    </li>
  );
}
