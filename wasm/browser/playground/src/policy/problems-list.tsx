import { count } from "../ui/format";
import { Icon } from "../ui/icons";
import { draft } from "./draft";
import { editor } from "./editor";
import type { Problem } from "./problems";
import { judged, problems } from "./work";

const icons = { error: "bad", warning: "warn", none: "good" } as const;

/** What is wrong with the policy; each goes to its place in the text. */
export function Problems() {
  const list = problems.value;
  const worst = list[0]?.severity ?? "none";
  const known = judged.value === draft.value;
  return (
    <section class="policy-problems" aria-label="Problems">
      <p role="status" class={`policy-verdict ${known ? `policy-${worst}` : ""}`}>{known && <Icon name={icons[worst]} />}{known ? verdict(list) : "Checking…"}</p>
      {list.length > 0 && <ul>{list.map((problem, i) => <li key={i}><Row {...problem} /></li>)}</ul>}
    </section>
  );
}

function verdict(list: readonly Problem[]): string {
  const errors = list.filter((p) => p.severity === "error").length;
  if (list.length === 0) return "No problems";
  return [errors > 0 && count(errors, "error"), list.length > errors && count(list.length - errors, "warning")].filter(Boolean).join(", ");
}

function Row({ severity, by, text, at, line }: Problem) {
  const words = (
    <>
      <span class={`policy-${severity}`}><Icon name={icons[severity]} /><span class="sr">{severity}: </span></span>
      <span class="policy-line">{line === undefined ? "" : `line ${line}`}</span>
      <span class="policy-words"><b>{by}</b> {text}</span>
    </>
  );
  return at ? <button type="button" class="policy-problem" onClick={() => editor.goTo(at.from, at.to)}>{words}</button> : <div class="policy-problem">{words}</div>;
}
