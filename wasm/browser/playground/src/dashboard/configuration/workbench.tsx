import "../../configure/configure.css";
import "./configuration.css";
import { useEffect } from "preact/hooks";
import { Button } from "../../ui/button";
import { EditorHost } from "../../ui/editor/host";
import { count } from "../../ui/format";
import { Icon } from "../../ui/icons";
import { Panel } from "../../ui/panel";
import { Tabs } from "../../ui/tabs";
import { Failure } from "../failure";
import { Changes } from "./changes";
import { editor, learn } from "./editor";
import { History } from "./history";
import { problemsFound } from "./problems";
import { comparing, draft, failure, fresh, inForce, keepUp, known, refresh, running, tried, unknownWords } from "./work";

const formats = [{ value: "yaml", text: "YAML" }, { value: "toml", text: "TOML" }] as const;

/** The configuration in force, to be changed as a whole: tried by the host as one types, compared, and applied. */
export function Workbench() {
  useEffect(keepUp, []);
  useEffect(() => void learn(), []);
  return (
    <div class="configure configuration">
      <Panel title="Configuration" class="configure-text" flush tools={<Tools />}>
        {failure.value !== undefined && <Failure of={failure.value} onRetry={() => void refresh()} />}
        {inForce.value?.fault && <p class="banner"><Icon name="warn" /><span>The watched file is not in force: {inForce.value.fault}</span></p>}
        <EditorHost editor={editor} />
        <Problems />
      </Panel>
      <Changes />
      <History />
    </div>
  );
}

function Tools() {
  const { text, format } = draft.value;
  const mixed = running.value.format !== format;
  return (
    <>
      <Tabs label="Format" value={format} tabs={formats} onChange={(to) => (draft.value = { text, format: to })} />
      <Button small icon="table" pressed={comparing.value && !mixed} disabled={mixed} onClick={() => (comparing.value = !comparing.value)}
        title={mixed ? "Two formats cannot be compared" : "Show the differences from the configuration in force in the text"}>Differences</Button>
    </>
  );
}

/** What the host has against the text; each goes to its place. */
function Problems() {
  const found = problemsFound.value;
  const errors = found.filter(({ severity }) => severity === "error").length;
  const { failure: fault } = tried.value ?? {};
  const worst = fault !== undefined || errors > 0 ? "error" : found.length > 0 ? "warning" : "none";
  return (
    <section class="configure-problems" aria-label="Problems">
      <p role="status" class={`configure-verdict ${fresh.value ? `configure-${worst}` : ""}`}>
        {fresh.value && <Icon name={({ error: "bad", warning: "warn", none: "good" } as const)[worst]} />}
        {!known.value ? unknownWords.value : !fresh.value ? "The host is checking…" : fault ?? (found.length === 0 ? "No problems" : [errors > 0 && count(errors, "error"), found.length > errors && count(found.length - errors, "warning")].filter(Boolean).join(", "))}
      </p>
      {found.length > 0 && (
        <ul class="configure-list">
          {found.map(({ severity, about, text, line, at }, i) => (
            <li key={i}>
              <button type="button" class="configure-problem" disabled={at === undefined} onClick={() => { if (at) editor.goTo(at.from, at.to); }}>
                <span class={`configure-${severity}`}><Icon name={severity === "error" ? "bad" : "warn"} /></span>
                <span class="configure-line">{line !== undefined && `Line ${line}`}</span>
                <span class="configure-words">{about !== "" && <b>{about}: </b>}{text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
