import { Drop } from "../ui/drop";
import { openFiles } from "./files";

/** Has files open that are dropped on the page. */
export function DropAnywhere() {
  return <Drop invites="Drop to open: a journal, a configuration or both, a feature or a policy module" take={(files) => { void openFiles(files); }} />;
}
