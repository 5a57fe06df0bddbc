/** Where module files arrive from anywhere on the page. */

import { go } from "../ui/route";
import { examine } from "./library";

/** Shows the comparison, and examines a module there. */
export async function receive(file: File): Promise<void> {
  go("compare");
  await examine(file);
}
