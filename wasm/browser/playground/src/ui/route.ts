/** The views of the page. */

import { view, type View } from "../state/store";

/** The address of a view. The address as a whole is followed by follow-address.ts. */
export function addressOf(name: View): string {
  return `#/${name}`;
}

/** Shows a view. */
export function go(name: View) {
  view.value = name;
}
