/** The view in the address: #/view. Other fragments (a scenario, a lesson) belong to share/link.ts and show the cluster. */

import { views, view, type View } from "../state/store";

export function addressOf(name: View): string {
  return `#/${name}`;
}

/** Has the view follow the address from now on. */
export function followAddress() {
  const read = () => {
    const named = views.find((name) => location.hash === addressOf(name));
    if (named) view.value = named;
    else if (!location.hash.startsWith("#/")) view.value = "cluster";
  };
  addEventListener("hashchange", read);
  read();
}

/** Shows a view. */
export function go(name: View) {
  location.hash = addressOf(name);
}
