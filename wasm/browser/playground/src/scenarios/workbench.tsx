import "./scenarios.css";
import { useEffect, useState } from "preact/hooks";
import { say } from "../state/notices";
import { copyText } from "../share/copy";
import { Button } from "../ui/button";
import { EditorHost } from "../ui/editor/host";
import { Select } from "../ui/field";
import { Menu } from "../ui/menu";
import { Panel } from "../ui/panel";
import { pickFile } from "../share/pick";
import { save } from "../ui/save";
import { Tabs } from "../ui/tabs";
import { draft, playing } from "./draft";
import { editor, playHere } from "./editor";
import { writeFromCluster } from "./from-cluster";
import { Phrasebook } from "./phrasebook";
import { playAll, stopPlaying } from "./play";
import { replaceDraft } from "./replace";
import { Results } from "./results";
import { load, shipped, stage, textOf } from "./runner";

/** Features: the editor, and beside it their results, or all sentences. */
export function Workbench() {
  const [beside, setBeside] = useState<"results" | "sentences">("results");
  useEffect(() => { load().catch(() => undefined); }, []); // the stage tells
  return (
    <div class="scenarios">
      <Panel class="scenarios-text" title={draft.value.name} tools={<Tools />} flush>
        <EditorHost editor={editor} />
        <p id="scenarios-keys" class="scenarios-keys">
          <kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs all, <kbd>Shift</kbd>+<kbd>Enter</kbd> the scenario at the cursor, <kbd>Ctrl</kbd>+<kbd>Space</kbd> suggests sentences. <kbd>Tab</kbd> leaves the editor.
        </p>
      </Panel>
      <Panel class="scenarios-beside" title="Outcome"
        tools={<Tabs label="Beside the editor" value={beside} onChange={setBeside} controls="scenarios-beside"
            tabs={[{ value: "results", text: "Results" }, { value: "sentences", text: "Sentences" }]} />}>
        <div id="scenarios-beside" role="tabpanel">{beside === "results" ? <Results /> : <Phrasebook />}</div>
      </Panel>
    </div>
  );
}

function Tools() {
  const running = playing.value !== undefined;
  const ready = stage.value.is === "ready";
  return (
    <>
      <Select label="Start from a feature that ships" bare value="" onChange={(name) => { if (name) void start(name); }}
        options={[{ value: "", text: "Start from…" }, ...shipped.value.map((name) => ({ value: name, text: name }))]} />
      <Menu label="File" items={[
        { text: "Open a feature file…", icon: "open", onPick: () => { void openFile(); } },
        { text: "Save as a file", icon: "save", hint: draft.value.name, onPick: () => save(draft.value.name, draft.value.text) },
        { text: "Copy", icon: "copy", hint: "The whole feature, as text", onPick: () => { void copy(); } },
        { text: "Scenario from here", icon: "node", hint: "The inputs of the cluster so far, as a scenario", onPick: () => { void writeFromCluster(); } },
      ]} />
      <Button small disabled={running || !ready} onClick={() => { void playHere(); }} title="The scenario at the cursor">Run this one</Button>
      {running
        ? <Button small kind="danger" icon="close" onClick={() => { void stopPlaying(); }}>Stop</Button>
        : <Button small kind="primary" icon="play" disabled={!ready} onClick={() => { void playAll(); }}>Run all</Button>}
    </>
  );
}

async function start(name: string): Promise<void> {
  try {
    await replaceDraft({ name, text: await textOf(name) });
  } catch {
    say("error", `${name} could not be read. The text in the editor is unchanged.`);
  }
}

async function openFile(): Promise<void> {
  const file = await pickFile(".feature");
  if (file) await replaceDraft({ name: file.name, text: await file.text() });
}

async function copy(): Promise<void> {
  if (await copyText(draft.peek().text)) say("info", "The feature is on the clipboard.");
  else say("error", "The browser does not let the page copy. Save the feature as a file instead.");
}
