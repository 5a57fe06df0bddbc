import { Icon } from "../ui/icons";
import { count } from "../ui/format";
import { checked } from "./checks";
import { editor } from "./editor";
import { problemsFound } from "./found";
import type { Problem } from "./problems";

/** What is wrong with the text; each goes to its place. */
export function Problems() {
  const found = problemsFound.value;
  return (
    <section class="configure-problems" aria-label="Problems">
      <p role="status" class={`configure-verdict ${checked.value ? `configure-${worst(found)}` : ""}`}>{checked.value && <Icon name={icons[worst(found)]} />}{checked.value ? verdict(found) : "Checking…"}</p>
      {found.length > 0 && <ul class="configure-list">{found.map((problem, i) => <li key={i}><Row {...problem} /></li>)}</ul>}
    </section>
  );
}

const icons = { error: "bad", warning: "warn", none: "good" } as const;

function worst(found: readonly Problem[]): keyof typeof icons {
  return found[0]?.severity ?? "none";
}

function verdict(found: readonly Problem[]): string {
  const errors = found.filter((p) => p.severity === "error").length;
  if (found.length === 0) return "No problems";
  return [errors > 0 && count(errors, "error"), found.length > errors && count(found.length - errors, "warning")].filter(Boolean).join(", ");
}

function Row({ severity, about, text, at, line }: Problem) {
  const words = (
    <>
      <span class={`configure-${severity}`}><Icon name={icons[severity]} /><span class="sr">{severity}: </span></span>
      <span class="configure-line">{line === undefined ? "" : `line ${line}`}</span>
      <span class="configure-words"><b>{about}</b> {text}</span>
    </>
  );
  return at ? <button type="button" class="configure-problem" onClick={() => editor.goTo(at.from, at.to)}>{words}</button> : <div class="configure-problem">{words}</div>;
}
