import { useRef, useState } from "preact/hooks";
import { actions } from "../state/run";
import { Button } from "../ui/button";
import { EditorHost } from "../ui/editor/host";
import { Menu } from "../ui/menu";
import { Panel } from "../ui/panel";
import { save } from "../ui/save";
import { Tabs } from "../ui/tabs";
import { comparing, draft, edited, running } from "./draft";
import { editor } from "./editor";
import { examples } from "./examples";
import { readFile } from "./files";
import { Problems } from "./problems-list";
import { toFormat } from "./to-format";

const formats = [{ value: "yaml", text: "YAML" }, { value: "toml", text: "TOML" }] as const;

/** The text with what one can do to it, and the problems below. */
export function EditorPanel() {
  return (
    <Panel title="Configuration" class="configure-text" flush tools={<Tools />}>
      <Drop />
      <Problems />
    </Panel>
  );
}

function Tools() {
  const picker = useRef<HTMLInputElement>(null);
  const { text, format } = draft.value;
  const mixed = running.value.format !== format;
  return (
    <>
      <Tabs label="Format" value={format} tabs={formats} onChange={(to) => void toFormat(to)} />
      <Button small icon="table" pressed={comparing.value && !mixed} disabled={mixed} onClick={() => (comparing.value = !comparing.value)}
        title={mixed ? `The configuration in force is ${running.value.format.toUpperCase()}: two formats cannot be compared` : "Show the differences from the configuration in force in the text"}>Differences</Button>
      <Menu label="File" items={[
        { text: "Open a file…", icon: "open", hint: "YAML or TOML; or drop one on the text", onPick: () => picker.current?.click() },
        { text: "Save as a file", icon: "save", onPick: () => save(`queues.${format}`, text) },
        { text: "Revert to the configuration in force", icon: "back", disabled: !edited.value, onPick: () => (draft.value = running.value) },
      ]} />
      <Menu label="Examples" items={examples.map(({ name, hint, configuration }) => ({ text: name, hint, onPick: () => (draft.value = configuration) }))} />
      <input ref={picker} type="file" accept=".yaml,.yml,.toml" hidden aria-label="A configuration file" onChange={({ currentTarget }) => {
        void load(currentTarget.files?.[0]);
        currentTarget.value = "";
      }} />
    </>
  );
}

async function load(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    draft.value = await readFile(file, draft.peek().format);
  } catch (error) {
    actions.say("error", error instanceof Error ? error.message : String(error));
  }
}

/** The editor, onto which a file can be dropped. */
function Drop() {
  const [over, setOver] = useState(false);
  const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  return (
    <EditorHost editor={editor} class={over ? "configure-over" : ""}
      onDragOverCapture={(event) => { if (hasFile(event)) { event.preventDefault(); setOver(true); } }}
      onDragLeaveCapture={() => setOver(false)}
      onDropCapture={(event) => {
        setOver(false);
        if (!hasFile(event)) return;
        event.preventDefault();
        event.stopPropagation();
        void load(event.dataTransfer?.files[0]);
      }} />
  );
}
