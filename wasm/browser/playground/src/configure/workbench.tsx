import "./configure.css";
import { useEffect } from "preact/hooks";
import { Changes } from "./changes-panel";
import { keepChecking } from "./checks";
import { EditorPanel } from "./editor-panel";
import { Preview } from "./preview";

/** The editor of the configuration: checked as one types, compared with what runs, and applied as a whole. */
export function Workbench() {
  useEffect(keepChecking, []);
  return (
    <div class="configure">
      <EditorPanel />
      <Preview />
      <Changes />
    </div>
  );
}
