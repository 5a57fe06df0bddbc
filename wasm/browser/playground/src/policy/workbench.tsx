import "./policy.css";
import { replaceText } from "./replace";
import { pickFile } from "../share/pick";
import { Results } from "../compare/results";
import { EditorHost } from "../ui/editor/host";
import { Menu } from "../ui/menu";
import { Panel } from "../ui/panel";
import { save } from "../ui/save";
import { Contract } from "./contract";
import { draft } from "./draft";
import { editor } from "./editor";
import { examples } from "./examples";
import { settingsOf } from "./files";
import { ModulePanel } from "./module";
import { Problems } from "./problems-list";
import { finished } from "./run";
import { RunPanel } from "./run-panel";
import { built } from "./work";

/** A policy in AssemblyScript: the editor, beside it what compiler, gate and contract say, below what it changes in a run. */
export function Workbench() {
  return (
    <div class="policy">
      <Panel class="policy-text" title="Policy" tools={<Tools />} flush>
        <EditorHost editor={editor} />
        <p id="policy-keys" class="policy-keys"><kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs it, <kbd>Ctrl</kbd>+<kbd>Z</kbd> undoes, <kbd>Tab</kbd> leaves the editor. AssemblyScript, compiled in this page; nothing of it leaves the page.</p>
        <Problems />
      </Panel>
      <div class="policy-beside">
        <ModulePanel />
        <Contract />
        <RunPanel />
      </div>
      {finished.value && <div class="policy-results compare"><Results finished={finished.value} /></div>}
    </div>
  );
}

function Tools() {
  const now = built.value;
  const name = now?.loaded.name ?? "policy";
  const lacking = "There is no module: the text has errors, or is being compiled";
  return (
    <>
      <Menu label="Examples" items={examples.map(({ name: example, hint, text }) => ({ text: example, hint, onPick: () => { void replaceText(text); } }))} />
      <Menu label="File" items={[
        { text: "Open a source file…", icon: "open", hint: "AssemblyScript, one file", onPick: () => { void openFile(); } },
        { text: "Save the source", icon: "save", hint: `${name}.ts`, onPick: () => save(`${name}.ts`, draft.peek()) },
        { text: "Save the module", icon: "save", hint: now ? `${name}.wasm` : lacking, disabled: !now, onPick: () => now && save(`${name}.wasm`, new Blob([now.bytes], { type: "application/wasm" })) },
        { text: "Save the settings", icon: "save", hint: now ? `${name}.toml, which pins the module` : lacking, disabled: !now, onPick: () => now && save(`${name}.toml`, settingsOf(now)) },
      ]} />
    </>
  );
}

async function openFile(): Promise<void> {
  const file = await pickFile(".ts");
  if (file) await replaceText(await file.text());
}

