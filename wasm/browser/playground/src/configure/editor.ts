/** The editor of the configuration of this page's session. */

import { computed } from "@preact/signals";
import { modules, types } from "../state/store";
import { apply } from "./apply";
import { checked, keys } from "./checks";
import { comparing, draft, running } from "./draft";
import { configurationEditor } from "./editor/editor";
import { problemsFound } from "./found";

export const editor = configurationEditor({
  draft, running, comparing, problems: problemsFound, apply,
  checked: computed(() => checked.value?.of.text),
  known: () => ({ keys: keys.peek(), policies: modules.peek(), types: types.peek() }),
});
