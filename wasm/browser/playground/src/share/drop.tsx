import { Drop } from "../ui/drop";
import { openFile } from "./files";

/** Has a file open that is dropped on the page. */
export function DropAnywhere() {
  const open = ([file]: readonly File[]) => { if (file) void openFile(file); };
  return <Drop invites="Drop to open: a journal, a configuration, a feature or a policy module" take={open} />;
}
