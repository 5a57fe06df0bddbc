import { Drop } from "../ui/drop";
import { openWhenReady } from "./waiting";

/** Has files open that are dropped on the page, also while the scheduler loads. */
export function DropAnywhere() {
  return <Drop invites="Drop to open: a journal, a configuration or both, a feature or a policy module" take={openWhenReady} />;
}
